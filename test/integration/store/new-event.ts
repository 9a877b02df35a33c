/** A delivery as the door hands it to the store, with what a test cares about overridden. */
import { createHash, randomUUID } from 'node:crypto';
import { factOf } from '../../../src/fact.ts';
import type { NewEvent } from '../../../src/store/events.ts';

export function newEvent(fields: Partial<NewEvent> = {}): NewEvent {
  const source = fields.source ?? 'shop';
  const eventId = fields.eventId ?? `evt_${randomUUID()}`;
  const object = fields.object ?? 'order:1042';
  const type = fields.type === undefined ? 'order.created' : fields.type;
  const facts = fields.facts ?? {};
  const body = fields.body ?? Buffer.from(JSON.stringify({ id: eventId, type, object, facts }));
  return {
    source,
    environment: 'live',
    machine: 'order',
    mode: null,
    account: null,
    eventId,
    deliveryId: null,
    providerType: 'order.created',
    type,
    order: '1042',
    object,
    stream: `${source}/${object}`,
    payment: null,
    version: null,
    claimedAt: null,
    createdAt: null,
    receivedAtMs: Date.now(),
    headers: { 'content-type': 'application/json' },
    fingerprint: createHash('sha256').update(body).digest(),
    secretId: 'a',
    adapterVersion: 1,
    fact: factOf(type, facts),
    facts,
    refs: [object],
    body,
    outcome: null,
    reason: null,
    ...fields,
  };
}
