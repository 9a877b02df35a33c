/**
 * What happens to one delivery whose bytes are there: verify, parse, normalise, store, offer.
 *
 * 1. Nothing is parsed before the signature over the raw bytes holds (R1).
 * 2. `accepted` is returned only after the commit (R5). It never waits for Temporal: `offer` returns at once (R6).
 * 3. Once the signature holds, a delivery is stored or refused with a reason; a broken adapter ends in a stored
 *    event, `failed`, never in a lost one.
 */
import { hash } from 'node:crypto';

import type { Config, Source } from '../config/resolved.ts';
import type { Dispatch } from '../dispatch/dispatch.ts';
import { InorderError } from '../errors.ts';
import { whereThrown } from '../where-thrown.ts';
import { factOf } from '../fact.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { RawDelivery, Refusal } from '../providers/provider.ts';
import { isRefusal } from '../providers/provider.ts';
import type { NewEvent } from '../store/events.ts';
import type { Deadlines } from './deadlines.ts';
import type { Stored } from './group-commit.ts';
import { normalise } from './normalise.ts';
import type { DeliveryRecord } from './normalise.ts';
import type { RefusalLog } from './refusal-log.ts';
import { significantHeaders } from './significant-headers.ts';
import { toOffer } from './to-offer.ts';

/** `known`: nothing of it was new. */
export type Acceptance = { known: boolean } | Refusal;

export type Accept = (delivery: RawDelivery, source: Source) => Promise<Acceptance>;

/** Where crash tests step in; does nothing in a real process. */
export type CrashPoint = (
  point: 'receiver.verified' | 'receiver.stored' | 'receiver.offered',
) => Promise<void>;

export interface AcceptDeps {
  machines: Config['machines'];
  groupCommit: { add(events: NewEvent[]): Promise<Stored[]> };
  dispatch: Pick<Dispatch, 'offer'>;
  /** For items that are refused while others of their delivery are stored. */
  refusals: Pick<RefusalLog, 'record'>;
  metrics: Pick<Metrics, 'stored'>;
  log: Log;
  /** null: none; the usual case costs nothing. */
  at: CrashPoint | null;
  deadlines: Deadlines;
  storeTimeoutMs: number;
}

/** More items than any provider puts into one delivery; each becomes a row. */
const MAX_ITEMS = 1_000;

export function createAccept(deps: AcceptDeps): Accept {
  return async (delivery, source) => {
    const verified = source.provider.verify(delivery, source.secrets, source.settings);
    if (isRefusal(verified)) return verified;
    if (deps.at !== null) await deps.at('receiver.verified');

    const record = recordOf(deps.machines, delivery, source, verified.secretId);
    const { events, refusals } = itemsOf(delivery, record, deps.log);
    const [first] = refusals;
    if (events.length === 0 && first !== undefined) return first;
    for (const refusal of refusals) deps.refusals.record(source.name, refusal, () => record.headers);
    // An authentic delivery with nothing in it: a provider's check that somebody listens.
    if (events.length === 0) return { known: false };

    const stored = await storeInTime(deps, events);
    if (isRefusal(stored)) return stored;
    if (deps.at !== null) await deps.at('receiver.stored');

    deps.dispatch.offer(toOffer(events, stored));
    if (deps.at !== null) await deps.at('receiver.offered');
    let isKnown = true;
    for (const [index, { kind }] of stored.entries()) {
      if (kind !== 'known') isKnown = false;
      deps.metrics.stored(source.name, kind === 'stored' ? (events[index]?.outcome ?? 'new') : kind);
    }
    return { known: isKnown };
  };
}

function recordOf(
  machines: Config['machines'],
  delivery: RawDelivery,
  source: Source,
  secretId: string,
): DeliveryRecord {
  const configured = machines.get(source.machine);
  if (configured === undefined) {
    throw new InorderError(
      'config_invalid',
      `receiver: the machine "${source.machine}" of source "${source.name}" is not configured`,
    );
  }
  return {
    source,
    machine: configured.machine,
    receivedAtMs: delivery.receivedAtMs,
    headers: significantHeaders(delivery.headers, source.provider.headers ?? []),
    fingerprint: hash('sha256', delivery.body, 'buffer'),
    secretId,
    body: delivery.body,
  };
}

function itemsOf(
  delivery: RawDelivery,
  record: DeliveryRecord,
  log: Log,
): { events: NewEvent[]; refusals: Refusal[] } {
  try {
    return readItems(delivery, record);
  } catch (thrown) {
    log.error(
      { source: record.source.name, reason: whereThrown(thrown) },
      'the adapter failed on an authentic delivery; it is kept',
    );
    return { events: [unparsed(record, thrown)], refusals: [] };
  }
}

/** Throws what the adapter throws, and where it gives something that is no event at all. */
function readItems(
  delivery: RawDelivery,
  record: DeliveryRecord,
): { events: NewEvent[]; refusals: Refusal[] } {
  const { source } = record;
  const parsed = source.provider.parse(delivery, source.settings);
  if (parsed.length > MAX_ITEMS) {
    return {
      events: [],
      refusals: [{ refused: 'too_large', message: `the body holds more than ${String(MAX_ITEMS)} events` }],
    };
  }
  const events: NewEvent[] = [];
  const refusals: Refusal[] = [];
  for (const item of parsed) {
    const normalised = isRefusal(item) ? item : normalise(item, record);
    if (isRefusal(normalised)) refusals.push(normalised);
    else events.push(normalised);
  }
  return { events, refusals };
}

/** An authentic delivery that the adapter broke on: kept under its fingerprint, to be processed again later. */
function unparsed(record: DeliveryRecord, thrown: unknown): NewEvent {
  const { source } = record;
  const name = `unparsed:${record.fingerprint.toString('hex')}`;
  return {
    source: source.name,
    environment: source.environment,
    machine: source.machine,
    mode: null,
    account: null,
    eventId: name,
    deliveryId: null,
    providerType: 'unparsed',
    type: null,
    order: null,
    object: name,
    stream: `${source.name}/${name}`,
    payment: null,
    version: null,
    claimedAt: null,
    createdAt: null,
    receivedAtMs: record.receivedAtMs,
    headers: record.headers,
    fingerprint: record.fingerprint,
    secretId: record.secretId,
    adapterVersion: source.provider.version,
    fact: factOf(null, {}),
    facts: {},
    refs: [],
    body: record.body,
    outcome: 'failed',
    reason: `adapter: ${whereThrown(thrown)}`,
  };
}

/** A store that is away or hangs is an answer, too: not yet, send it again. */
function storeInTime(deps: AcceptDeps, events: NewEvent[]): Promise<Stored[] | Refusal> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    const deadline = deps.deadlines.set(deps.storeTimeoutMs, () => {
      isOver = true;
      resolve({ refused: 'unavailable', message: 'the store does not answer; send it again' });
    });
    deps.groupCommit.add(events).then(
      (stored) => {
        deps.deadlines.clear(deadline);
        resolve(stored);
      },
      (thrown: unknown) => {
        deps.deadlines.clear(deadline);
        const error = InorderError.from(thrown);
        if (error.code === 'store_unavailable') {
          resolve({ refused: 'unavailable', message: 'the store is not available; send it again' });
        } else if (isOver) {
          // The sender was told to repeat; nobody else would hear of it.
          deps.log.error({ error }, 'a delivery could not be stored');
        } else reject(error);
      },
    );
  });
}
