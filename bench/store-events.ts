/** Events as the door stores them, ready to be dispatched: what a measurement of `apply` begins with. */
import { createHash } from 'node:crypto';
import type { DispatchItem } from '../src/dispatch/dispatch.ts';
import { factOf } from '../src/fact.ts';
import type { OrderEvent } from '../src/ordering/state.ts';
import { GroupCommit } from '../src/receiver/group-commit.ts';
import type { NewEvent } from '../src/store/events.ts';
import type { Store } from '../src/store/store.ts';

export interface EventsToStore {
  orders: number;
  /** One stream per order: `types[n]` is its version n + 1. */
  types: string[];
  source: string;
  environment: string;
  machine: string;
  /** Put before every id, so that two runs do not meet. */
  mark: string;
}

const FIRST_CLAIM_MS = Date.parse('2026-01-01T00:00:00Z');

/** Version by version, as a provider announces them: each order's first event, then each one's second. */
export async function storeEvents(store: Store, plan: EventsToStore): Promise<DispatchItem[]> {
  const groupCommit = new GroupCommit(store);
  const items: DispatchItem[] = [];
  for (const [index, type] of plan.types.entries()) {
    const events = Array.from({ length: plan.orders }, (_, order) => newEvent(plan, order, index, type));
    for (let at = 0; at < events.length; at += 1_000) {
      const batch = events.slice(at, at + 1_000);
      const stored = await groupCommit.add(batch);
      for (const [n, event] of batch.entries()) {
        const { seq } = stored[n] as { seq: string };
        items.push({ key: keyOf(plan, event), event: orderEvent(event, seq) });
      }
    }
  }
  await groupCommit.stop();
  return items;
}

function newEvent(plan: EventsToStore, order: number, index: number, type: string): NewEvent {
  const { source, environment, machine, mark } = plan;
  const object = `order:${mark}-${order}`;
  const version = String(index + 1);
  const eventId = `${mark}-${order}-${version}`;
  const body = Buffer.from(JSON.stringify({ id: eventId, type, object, version, filler: 'x'.repeat(500) }));
  return {
    source,
    environment,
    machine,
    mode: null,
    account: null,
    eventId,
    deliveryId: null,
    providerType: type,
    type,
    order: `${mark}-${order}`,
    object,
    stream: `${source}/${object}`,
    payment: null,
    version,
    claimedAt: new Date(FIRST_CLAIM_MS + index * 1_000).toISOString(),
    createdAt: null,
    receivedAtMs: Date.now(),
    headers: { 'content-type': 'application/json' },
    fingerprint: createHash('sha256').update(body).digest(),
    secretId: 'a',
    adapterVersion: 1,
    fact: factOf(type, { n: version }),
    facts: { n: version },
    refs: [object],
    body,
    outcome: null,
    reason: null,
  };
}

const keyOf = (plan: EventsToStore, event: NewEvent) => ({
  machine: plan.machine,
  environment: plan.environment,
  id: event.order as string,
});

function orderEvent(event: NewEvent, seq: string): OrderEvent {
  const { source, stream, type, payment, version, claimedAt, fact, facts } = event;
  return { seq, source, event: event.eventId, stream, type, payment, version, claimedAt, fact, facts };
}
