/**
 * The body of a Standard Webhook by the paths its source says: the same reading for what is delivered and for what is
 * listed, and the fields of an answer by the same paths.
 */
import { InorderError } from '../errors.ts';
import type { Facts } from '../ordering/state.ts';
import { canonicalVersion } from '../ordering/version.ts';
import { parseJsonBody } from './json.ts';
import { neutralTypes } from './neutral-types.ts';
import type { ParsedEvent, RawDelivery, Refusal, SourceSettings } from './provider.ts';
import { isRefusal } from './provider.ts';
import { fieldInvalid, optionalText, pickFacts, requiredText, valueAt } from './read-fields.ts';
import { FACT_NAMES } from './standard-webhooks-settings.ts';
import { ID_HEADER, underStandardNames } from './standard-webhooks-signature.ts';

// ── types ──────────────────────────────────────────────────────────────────────────────────────────────────

export const types = neutralTypes();
export const neutralTypeOf = (word: string): string | null | undefined =>
  Object.hasOwn(types, word) ? types[word] : undefined;

// ── paths ──────────────────────────────────────────────────────────────────────────────────────────────────

/** Where the specification's own payload has them. */
const DEFAULT_PATHS: Record<string, string> = { type: 'type', time: 'timestamp' };

export interface Fields {
  required(name: string): { text: string } | Refusal;
  optional(name: string): { text: string } | Refusal | null;
  facts(): Facts;
}

export function fieldsOf(body: unknown, settings: SourceSettings, more: Record<string, string> = {}): Fields {
  const paths = { ...DEFAULT_PATHS, ...settings.paths, ...more };
  const shown = (name: string): string => paths[name] ?? name;
  const valueOf = (name: string): unknown => {
    const path = paths[name];
    const value = path === undefined ? undefined : valueAt(body, path);
    if (name !== 'order' || (value !== undefined && value !== null)) return value;
    return settings.orderPaths.map((other) => valueAt(body, other)).find((found) => found != null);
  };
  return {
    required: (name) => requiredText(valueOf(name), shown(name)),
    optional: (name) => optionalText(valueOf(name), shown(name)),
    facts: () => pickFacts(FACT_NAMES, (name) => valueAt(body, paths[`facts.${name}`] ?? `data.${name}`)),
  };
}

// ── order and objects ──────────────────────────────────────────────────────────────────────────────────────

/** A colon ends it: whatever the id holds, kind and id are told apart again. */
const KIND = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}$/;

/** `<kind>:<id>`: the kind is the body's, or that of the field which gives the id. */
export function objectOf(fields: Fields, settings: SourceSettings): { kind: string; id: string } | Refusal {
  const { paths } = settings;
  const id = fields.required(paths['object'] === undefined ? 'order' : 'object');
  if (isRefusal(id)) return id;
  if (paths['kind'] === undefined) return { kind: kindByPath(settings), id: id.text };
  const kind = fields.required('kind');
  if (isRefusal(kind)) return kind;
  if (!KIND.test(kind.text)) return fieldInvalid(paths['kind'], 'is no word of letters and digits');
  return { kind: kind.text, id: id.text };
}

export function kindByPath({ paths: { object, order, payment }, orderPaths }: SourceSettings): string {
  if (object === undefined || object === order || orderPaths.includes(object)) return 'order';
  return object === payment ? 'payment' : 'object';
}

// ── identity, version, time ────────────────────────────────────────────────────────────────────────────────

export function parse(delivery: RawDelivery, settings: SourceSettings): (ParsedEvent | Refusal)[] {
  const body = parseJsonBody(delivery.body);
  if (isRefusal(body)) return [body];
  return [parseEvent(body.value, underStandardNames(delivery).headers[ID_HEADER]?.[0], settings)];
}

export function parseEvent(
  body: Record<string, unknown>,
  header: string | undefined,
  settings: SourceSettings,
  morePaths: Record<string, string> = {},
): ParsedEvent | Refusal {
  const fields = fieldsOf(body, settings, morePaths);
  // The header is the event's id unless the body has one; then it may be another one for each endpoint.
  const hasOwnId = settings.paths['id'] !== undefined;
  const eventId = hasOwnId ? fields.required('id') : requiredText(header, ID_HEADER);
  if (isRefusal(eventId)) return eventId;
  const word = fields.required('type');
  if (isRefusal(word)) return word;
  const identity = {
    eventId: eventId.text,
    ...(hasOwnId && header !== undefined ? { deliveryId: header } : {}),
    providerType: word.text,
    type: neutralTypeOf(word.text),
  };
  const content = readContent(fields, settings);
  if (!isRefusal(content)) return { ...identity, ...content };
  // What nobody wants need not have the fields of what somebody does: senders tell of other things, too.
  if (isWanted(word.text, settings)) return content;
  const object = `event:${eventId.text}`;
  return { ...identity, object, refs: [object], facts: {} };
}

const isWanted = (word: string, { types: own = {} }: SourceSettings): boolean =>
  (Object.hasOwn(own, word) ? own[word] : neutralTypeOf(word)) != null;

export type Content = Omit<ParsedEvent, 'eventId' | 'deliveryId' | 'providerType' | 'type'>;

export function readContent(fields: Fields, settings: SourceSettings): Content | Refusal {
  const object = objectOf(fields, settings);
  if (isRefusal(object)) return object;
  // Without its version an event of a versioned stream would be placed by its arrival (R20).
  const path = settings.paths['version'];
  const version = path === undefined ? null : fields.required('version');
  if (version && isRefusal(version)) return version;
  if (version && canonicalVersion(version.text) === null)
    return fieldInvalid(path ?? 'version', 'is neither a whole number nor an instant with a zone');

  const more: Partial<Content> = {};
  for (const name of ['order', 'payment', 'mode', 'account'] as const) {
    const read = fields.optional(name);
    if (read === null) continue;
    if (isRefusal(read)) return read;
    more[name] = read.text;
  }
  if (object.kind === 'payment') more.payment = object.id;
  const claimedAt = instant(fields.optional('time'));
  const createdAt = instant(fields.optional('created'));
  const stream = `${object.kind}:${object.id}`;
  return {
    ...more,
    object: stream,
    refs: more.payment === undefined ? [stream] : [...new Set([stream, `payment:${more.payment}`])],
    ...(version === null ? {} : { version: version.text }),
    ...(claimedAt === null ? {} : { claimedAt }),
    ...(createdAt === null ? {} : { createdAt }),
    facts: fields.facts(),
  };
}

/** Also seconds or milliseconds since 1970, told apart by their digits: as seconds, 13 digits are 30,000 years away. */
export function instant(read: ReturnType<Fields['optional']>): string | null {
  if (read === null || isRefusal(read)) return null;
  const { text } = read;
  if (/^\d{9,10}$/.test(text)) return new Date(Number(text) * 1_000).toISOString();
  if (/^\d{12,13}$/.test(text)) return new Date(Number(text)).toISOString();
  return text;
}

// ── requests ───────────────────────────────────────────────────────────────────────────────────────────────

export function fill(template: string | undefined, values: Record<string, string>): string {
  if (template === undefined) throw new InorderError('internal', 'this source has no such request');
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}

export const unusable = (what: string): InorderError =>
  new InorderError('internal', `standard-webhooks: the API's answer ${what}; it is asked again`);
