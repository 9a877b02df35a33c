import { pino } from 'pino';
import type { DispatchItem } from '../../../src/dispatch/dispatch.ts';
import type { Log } from '../../../src/log.ts';
import type { OrderEvent, OrderKey } from '../../../src/ordering/state.ts';

export const keyOf = (id: string): OrderKey => ({ machine: 'order', environment: 'live', id });

export function eventOf(seq: number, more: Partial<OrderEvent> = {}): OrderEvent {
  return {
    seq: String(seq),
    source: 'shop',
    event: `evt_${seq}`,
    stream: 'shop/order:1042',
    type: 'order.created',
    payment: null,
    version: String(seq),
    claimedAt: null,
    fact: `f${seq}`,
    facts: {},
    ...more,
  };
}

export const itemOf = (order: string, seq: number, more: Partial<OrderEvent> = {}): DispatchItem => ({
  key: keyOf(order),
  event: eventOf(seq, more),
});

/** Keeps the messages of warnings and above, for tests that say what an operator is told. */
export function recordingLog(warnings: string[]): Log {
  return pino(
    { level: 'warn' },
    { write: (line: string) => void warnings.push((JSON.parse(line) as { msg: string }).msg) },
  );
}
