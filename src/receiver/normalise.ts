/**
 * One parsed item to the row that is stored: which type it has by the source's own map, whether its outcome is
 * known at the door, and whether its identifiers can be kept byte for byte.
 *
 * 1. Identifiers are never trimmed, folded or cut (R12); what a key column cannot hold exactly is refused.
 * 2. The team's own code cannot lose a delivery: a mapping that throws ends in a stored event, `failed`.
 * 3. In a contiguous sequence every number counts: an event goes on to its order's workflow even when nobody wants
 *    its type, or the next one would wait for it for ever. Without an order it waits for a link like any other.
 */
import type { Source } from '../config/resolved.ts';
import { factOf } from '../fact.ts';
import type { FinalOutcome } from '../ordering/state.ts';
import type { Machine } from '../ordering/machine.ts';
import { canonicalInstant, canonicalVersion } from '../ordering/version.ts';
import { parseJsonText } from '../providers/json.ts';
import { mappedType } from '../providers/mapped-type.ts';
import type { ParsedEvent, Refusal } from '../providers/provider.ts';
import { isRefusal } from '../providers/provider.ts';
import { factsProblem } from '../providers/read-fields.ts';
import { shown } from '../providers/shown.ts';
import type { NewEvent } from '../store/events.ts';

/** What all items of one delivery share. */
export interface DeliveryRecord {
  source: Source;
  machine: Machine;
  receivedAtMs: number;
  headers: Record<string, string>;
  fingerprint: Buffer;
  secretId: string;
  body: Buffer;
}

const MAX_KEY_BYTES = 255;
const MAX_REFS = 64;

export function normalise(parsed: ParsedEvent, delivery: DeliveryRecord): NewEvent | Refusal {
  const invalid = findInvalid(parsed, delivery.source);
  if (invalid !== null) return invalid;
  const version = parsed.version === undefined ? null : canonicalVersion(parsed.version);
  const claimedAt = instantOf(parsed.claimedAt);
  const { source } = delivery;
  const verdict = judge(parsed, delivery);
  if (isRefusal(verdict)) return verdict;
  return {
    source: source.name,
    environment: source.environment,
    machine: source.machine,
    mode: parsed.mode ?? null,
    account: parsed.account ?? null,
    eventId: parsed.eventId,
    deliveryId: parsed.deliveryId ?? null,
    providerType: parsed.providerType,
    type: verdict.type,
    order: parsed.order ?? null,
    object: parsed.object,
    stream: `${source.name}/${parsed.object}`,
    payment: parsed.payment ?? null,
    version,
    claimedAt,
    createdAt: parsed.createdAt === parsed.claimedAt ? claimedAt : instantOf(parsed.createdAt),
    receivedAtMs: delivery.receivedAtMs,
    headers: delivery.headers,
    fingerprint: delivery.fingerprint,
    secretId: delivery.secretId,
    adapterVersion: source.provider.version,
    fact: factOf(verdict.type, parsed.facts),
    facts: parsed.facts,
    refs: refsOf(parsed),
    body: delivery.body,
    outcome: verdict.outcome,
    reason: verdict.reason,
  };
}

/** For people and for telling the newest hint; a time that cannot be read is no reason to lose an event. */
const instantOf = (text: string | undefined): string | null =>
  text === undefined ? null : canonicalInstant(text);

const refsOf = ({ object, refs }: ParsedEvent): string[] =>
  refs.length === 1 && refs[0] === object ? refs : [...new Set([object, ...refs])];

interface Verdict {
  type: string | null;
  /** Settled at the door; null: the order's workflow, or a link, comes first. */
  outcome: FinalOutcome | null;
  reason: string | null;
}

function judge(parsed: ParsedEvent, delivery: DeliveryRecord): Verdict | Refusal {
  const { source, machine } = delivery;
  if (source.mode !== null && parsed.mode !== undefined && parsed.mode !== source.mode) {
    return { type: null, outcome: 'foreign', reason: 'other_mode' };
  }
  if (source.account !== null && parsed.account !== undefined && parsed.account !== source.account) {
    return { type: null, outcome: 'foreign', reason: 'other_account' };
  }
  // The team's word counts over the adapter's.
  const mapped = mappedType(source.types, parsed, () => readable(delivery.body));
  if (mapped.kind === 'failed') return { type: null, outcome: 'failed', reason: mapped.reason };
  if (mapped.kind === 'unknown' && source.unknownTypes === 'reject') {
    return {
      refused: 'type_unknown',
      message: `the type "${shown(parsed.providerType)}" is not known here; name it under "types", or archive unknown types`,
    };
  }
  const counts = source.contract === 'sequence' && parsed.version !== undefined;
  if (mapped.kind === 'unknown' || mapped.type === null) {
    const reason = parsed.note ?? (mapped.kind === 'unknown' ? 'type_unknown' : 'type_unwanted');
    return counts ? { type: null, outcome: null, reason: null } : { type: null, outcome: 'archived', reason };
  }
  if (!Object.hasOwn(machine.on, mapped.type) && !counts) {
    return { type: mapped.type, outcome: 'ignored', reason: 'not_in_machine' };
  }
  return { type: mapped.type, outcome: null, reason: null };
}

/** What a mapping function gets: the parsed JSON, or the text when it is none. */
function readable(body: Buffer): unknown {
  const text = body.toString('utf8');
  try {
    return parseJsonText(text);
  } catch {
    return text;
  }
}

/** Adapters of teams are not checked by our compiler, so shapes are looked at, too. */
function findInvalid(parsed: ParsedEvent, source: Source): Refusal | null {
  return (
    identifier('event id', parsed.eventId, 'required') ??
    identifier('type', parsed.providerType, 'required') ??
    identifier('object', parsed.object, 'required') ??
    // A stream is named by source and object together.
    identifier('object', `${source.name}/${parsed.object}`, 'required') ??
    identifier('order', parsed.order, 'optional') ??
    identifier('payment', parsed.payment, 'optional') ??
    identifier('delivery id', parsed.deliveryId, 'optional') ??
    identifier('mode', parsed.mode, 'optional') ??
    identifier('account', parsed.account, 'optional') ??
    invalidRefs(parsed.refs) ??
    invalidVersion(parsed.version, source) ??
    invalidFacts(parsed.facts)
  );
}

function identifier(field: string, value: unknown, need: 'required' | 'optional'): Refusal | null {
  if (value === undefined && need === 'optional') return null;
  if (value === undefined || value === null || (value === '' && need === 'required')) {
    return { refused: 'field_missing', message: `the ${field} is missing` };
  }
  if (typeof value !== 'string') return fieldInvalid(`the ${field} is not a text`);
  if (value === '') return fieldInvalid(`the ${field} is empty`);
  if (!fits(value, MAX_KEY_BYTES)) {
    return fieldInvalid(`the ${field} is longer than ${String(MAX_KEY_BYTES)} bytes`);
  }
  // Half of a surrogate pair has no UTF-8: two different ids would be stored as the same bytes.
  if (/\p{Surrogate}/u.test(value)) return fieldInvalid(`the ${field} is not well-formed Unicode`);
  return null;
}

function invalidRefs(refs: unknown): Refusal | null {
  if (!Array.isArray(refs)) return fieldInvalid('the objects it names are not a list');
  if (refs.length > MAX_REFS) return fieldInvalid(`it names more than ${String(MAX_REFS)} objects`);
  for (const ref of refs) {
    const refused = identifier('object it names', ref, 'required');
    if (refused !== null) return refused;
  }
  return null;
}

function invalidVersion(version: unknown, source: Source): Refusal | null {
  if (version === undefined) return null;
  const canonical = typeof version === 'string' ? canonicalVersion(version) : null;
  if (canonical === null) {
    return fieldInvalid('the version is neither a whole number nor an instant with a zone');
  }
  if (source.contract === 'sequence' && canonical.endsWith('Z')) {
    return fieldInvalid('the version of a sequence must be a whole number');
  }
  return null;
}

function invalidFacts(facts: unknown): Refusal | null {
  const problem = factsProblem(facts);
  return problem === null ? null : fieldInvalid(problem);
}

const fieldInvalid = (message: string): Refusal => ({ refused: 'field_invalid', message });

/** UTF-8 takes at most three bytes per UTF-16 unit, so that short texts need no counting. */
const fits = (text: string, maxBytes: number): boolean =>
  text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes;
