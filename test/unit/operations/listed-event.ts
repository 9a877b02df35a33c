import type { ListedEvent } from '../../../src/store/event-listing.ts';
import type { RecordedEntry } from '../../../src/store/journal.ts';

/** The instant at so many seconds of a minute, as the store writes it. */
export const at = (second: number): string => `2026-11-30T10:00:${String(second).padStart(2, '0')}.000000Z`;

export function listedEvent(fields: Partial<ListedEvent>): ListedEvent {
  return {
    ...{ seq: '1', source: 'shop', event: 'e1', machine: 'order', environment: 'live' },
    ...{ order: { machine: 'order', environment: 'live', id: '1' }, object: 'order:1', payment: null },
    ...{ providerType: 'order.created', type: 'order.created', version: '1', claimedAt: null },
    ...{ receivedAt: at(0), deliveries: 1, outcome: 'applied', reason: null, from: 'new', to: 'paid' },
    ...{
      revision: 1,
      takenAt: at(1),
      settledAt: at(1),
      secretId: 'a',
      foundBy: 'webhook',
      worker: 'w',
      machineVersion: 1,
    },
    ...{ conflictOf: null, ...fields },
  };
}

export function recordedEntry(fields: Partial<RecordedEntry>): RecordedEntry {
  return {
    ...{ kind: 'confirmed', stream: 'shop/order:1', type: 'order.created', version: '1', from: 'new' },
    ...{ to: 'paid', reason: null, cause: null, revision: 1, recordedAt: at(1), machineVersion: 1 },
    ...{ worker: 'w', ...fields },
  };
}
