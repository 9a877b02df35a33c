import { describe, expect, test } from 'vitest';
import type { DeliverResult } from '../../../src/dispatch/deliver.ts';
import { createDispatch } from '../../../src/dispatch/dispatch.ts';
import type { DispatchDeps, DispatchFate } from '../../../src/dispatch/dispatch.ts';
import type { OrderEvent } from '../../../src/ordering/state.ts';
import { Reachability } from '../../../src/temporal/reachability.ts';
import { itemOf, recordingLog } from './order-events.ts';

interface Call {
  order: string;
  seqs: string[];
  requestId: string;
  end: (result: DeliverResult) => void;
}
const SENT: DeliverResult = { kind: 'sent' };
const UNREACHABLE: DeliverResult = { kind: 'unreachable', error: new Error('no server') };

/** A dispatch whose calls end when the test says so. */
function setup(options: Partial<DispatchDeps> = {}) {
  const calls: Call[] = [];
  const counted: Record<DispatchFate, number> = { sent: 0, failed: 0, left_to_sweeper: 0 };
  const warnings: string[] = [];
  const arrivals: { count: number; resolve: () => void }[] = [];
  const log = recordingLog(warnings);
  const temporal = { isThere: true };
  const probe = () => (temporal.isThere ? Promise.resolve() : Promise.reject(new Error('no server')));
  const reachability = new Reachability({ probe, log, probeEveryMs: 3_600_000 });
  const deliver = (key: { id: string }, events: OrderEvent[], requestId: string) =>
    new Promise<DeliverResult>((end) => {
      calls.push({ order: key.id, seqs: events.map((event) => event.seq), requestId, end });
      for (const arrival of arrivals) if (calls.length >= arrival.count) arrival.resolve();
    });
  const dispatch = createDispatch({
    deliver,
    reachability,
    log,
    count: (fate, events) => (counted[fate] += events),
    ...options,
  });
  const untilCalls = (count: number) =>
    new Promise<void>((resolve) => {
      if (calls.length >= count) resolve();
      else arrivals.push({ count, resolve });
    });
  const call = (index: number) => calls[index] as Call;
  const untilDown = () => new Promise<void>((resolve) => reachability.onChange(() => resolve()));
  return { dispatch, calls, call, counted, warnings, reachability, temporal, untilCalls, untilDown };
}
const aTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('dispatch', () => {
  test('an offer makes no call in its own turn', () => {
    const { dispatch, calls } = setup();
    dispatch.offer([itemOf('1', 1)]);
    expect(calls).toHaveLength(0);
  });

  test('per order one call is in flight and the next carries all that came meanwhile', async () => {
    const { dispatch, call, calls, untilCalls } = setup();
    dispatch.offer([itemOf('1', 1)]);
    await untilCalls(1);
    dispatch.offer([itemOf('1', 2), itemOf('1', 3)]);
    dispatch.offer([itemOf('1', 4)]);
    await aTurn();
    expect(calls).toHaveLength(1);
    call(0).end(SENT);
    await untilCalls(2);
    expect(call(1).seqs).toEqual(['2', '3', '4']);
  });

  test('a slow order does not hold another one', async () => {
    const { dispatch, call, untilCalls } = setup();
    dispatch.offer([itemOf('slow', 1), itemOf('quick', 2)]);
    await untilCalls(2);
    dispatch.offer([itemOf('quick', 3)]);
    call(1).end(SENT);
    await untilCalls(3);
    expect(call(2)).toMatchObject({ order: 'quick', seqs: ['3'] });
  });

  test('an event offered twice while it waits or flies is sent once', async () => {
    const { dispatch, call, calls, untilCalls } = setup();
    dispatch.offer([itemOf('1', 1), itemOf('1', 1)]);
    await untilCalls(1);
    dispatch.offer([itemOf('1', 1)]);
    call(0).end(SENT);
    await dispatch.stop();
    expect(calls.map(({ seqs }) => seqs)).toEqual([['1']]);
  });

  test('a repeat of an event whose call failed is sent again at once', async () => {
    const { dispatch, call, untilCalls } = setup();
    dispatch.offer([itemOf('1', 1)]);
    await untilCalls(1);
    call(0).end({ kind: 'refused', error: new Error('busy') });
    await aTurn();
    dispatch.offer([itemOf('1', 1)]);
    await untilCalls(2);
    expect(call(1).seqs).toEqual(['1']);
  });

  test('a signal carries at most 100 events and 100 KB', async () => {
    const { dispatch, call, untilCalls } = setup();
    dispatch.offer(Array.from({ length: 150 }, (_, n) => itemOf('many', n)));
    dispatch.offer(
      Array.from({ length: 3 }, (_, n) =>
        itemOf('large', 1_000 + n, { facts: { text: 'x'.repeat(40_000) } }),
      ),
    );
    await untilCalls(2);
    expect(call(0).seqs).toHaveLength(100);
    expect(call(1).seqs).toHaveLength(2);
    call(0).end(SENT);
    call(1).end(SENT);
    await untilCalls(4);
    expect(call(2).seqs).toHaveLength(50);
    expect(call(3).seqs).toHaveLength(1);
  });

  test('one event goes under its own id, several under a digest that depends on all', async () => {
    const { dispatch, call, untilCalls } = setup();
    dispatch.offer([itemOf('1', 1), itemOf('2', 2), itemOf('2', 3), itemOf('3', 2), itemOf('3', 4)]);
    await untilCalls(3);
    expect(call(0).requestId).toBe('shop/evt_1');
    expect(call(1).requestId).toMatch(/^[0-9a-f]{64}$/);
    expect(call(2).requestId).not.toBe(call(1).requestId);
  });

  test('calls in flight and events in memory are bounded, and what does not fit is left to the sweeper', async () => {
    const { dispatch, calls, counted, warnings } = setup({ maxCallsInFlight: 3, maxWaitingEvents: 10 });
    dispatch.offer(Array.from({ length: 30 }, (_, n) => itemOf(`order-${n}`, n)));
    await aTurn();
    await aTurn();
    expect(calls).toHaveLength(3);
    expect(counted.left_to_sweeper).toBe(20);
    expect(warnings).toHaveLength(1);
  });

  test('bytes in memory are bounded too', async () => {
    const { dispatch, counted } = setup({ maxWaitingBytes: 10_000 });
    dispatch.offer(
      Array.from({ length: 9 }, (_, n) => itemOf(`o${n}`, n, { facts: { t: 'x'.repeat(2_000) } })),
    );
    expect(counted.left_to_sweeper).toBe(5);
  });

  test('when Temporal is away what waits is let go, nothing more is tried, and one line says so', async () => {
    const { dispatch, call, calls, counted, warnings, reachability, temporal, untilCalls, untilDown } = setup(
      {
        maxCallsInFlight: 5,
      },
    );
    dispatch.offer(Array.from({ length: 12 }, (_, n) => itemOf(`order-${n}`, n)));
    await untilCalls(5);
    temporal.isThere = false;
    const down = untilDown();
    for (let n = 0; n < 5; n += 1) call(n).end(UNREACHABLE);
    await down;
    dispatch.offer([itemOf('later', 99)]);
    for (const { end } of calls) end(UNREACHABLE);
    await dispatch.stop();
    const tried = calls.length;
    dispatch.offer([itemOf('latest', 100)]);
    expect(reachability.isDown).toBe(true);
    expect(warnings).toEqual(['Temporal cannot be reached; events are stored and wait']);
    expect(calls).toHaveLength(tried);
    expect(counted.sent).toBe(0);
    expect(counted.failed + counted.left_to_sweeper).toBe(14);
    await reachability.stop();
  });

  test('after the return new events flow again', async () => {
    const { dispatch, call, reachability, temporal, untilCalls } = setup();
    temporal.isThere = false;
    await reachability.check();
    dispatch.offer([itemOf('1', 1)]);
    reachability.succeeded();
    dispatch.offer([itemOf('1', 2)]);
    await untilCalls(1);
    expect(call(0).seqs).toEqual(['2']);
  });

  test('a call that came too late is tried again, with what came meanwhile, three times in all', async () => {
    const { dispatch, call, counted, calls, untilCalls } = setup();
    dispatch.offer([itemOf('1', 1)]);
    await untilCalls(1);
    dispatch.offer([itemOf('1', 2)]);
    call(0).end(UNREACHABLE);
    await untilCalls(2);
    expect(call(1).seqs).toEqual(['1', '2']);
    call(1).end(UNREACHABLE);
    await untilCalls(3);
    call(2).end(UNREACHABLE);
    await untilCalls(4);
    expect(call(3).seqs).toEqual(['2']);
    call(3).end(SENT);
    await dispatch.stop();
    expect(calls).toHaveLength(4);
    expect(counted).toEqual({ sent: 1, failed: 1, left_to_sweeper: 0 });
  });

  test('stop sends what waits and then resolves', async () => {
    const { dispatch, call, counted, untilCalls } = setup();
    dispatch.offer([itemOf('1', 1)]);
    const stopped = dispatch.stop();
    await untilCalls(1);
    call(0).end(SENT);
    await stopped;
    dispatch.offer([itemOf('1', 2)]);
    expect(counted).toEqual({ sent: 1, failed: 0, left_to_sweeper: 1 });
  });

  test('stop gives up on a call that does not end', async () => {
    const { dispatch, untilCalls, counted } = setup({ drainMs: 20 });
    dispatch.offer([itemOf('1', 1)]);
    await untilCalls(1);
    await dispatch.stop();
    expect(counted.sent).toBe(0);
  });

  test('an idle dispatch stops at once', async () => {
    const { dispatch, calls } = setup({ drainMs: 60_000 });
    await dispatch.stop();
    expect(calls).toEqual([]);
  });
});
