import { describe, expect, test } from 'vitest';
import type { DeliverResult } from '../../../src/dispatch/deliver.ts';
import type { ClaimedEvent } from '../../../src/store/event-claims.ts';
import { createSweeper } from '../../../src/dispatch/sweeper.ts';
import type { OrderEvent, OrderKey } from '../../../src/ordering/state.ts';
import { Reachability } from '../../../src/temporal/reachability.ts';
import { eventOf, keyOf, recordingLog } from './order-events.ts';

const REDELIVER_AFTER_MS = 60_000;
const UNREACHABLE: DeliverResult = { kind: 'unreachable', error: new Error('no server') };

/** A sweeper over claims and a Temporal that the test plays. */
function setup() {
  const world = {
    untaken: [] as ClaimedEvent[],
    due: [] as OrderKey[],
    ages: [] as number[],
    overdue: [] as number[],
    givenBack: [] as string[],
    givenBackOrders: [] as string[],
    sent: [] as { order: string; seqs: string[]; requestId: string }[],
    answer: { kind: 'sent' } as DeliverResult,
    probe: () => Promise.resolve(),
    linked: 0,
    nowMs: 1_000_000,
    calls: 0,
    warnings: [] as string[],
    counts: {} as Record<string, number>,
  };
  const log = recordingLog(world.warnings);
  const clock = () => world.nowMs;
  const reachability = new Reachability({ probe: () => world.probe(), log, clock, probeEveryMs: 1 });
  const sweeper = createSweeper({
    untaken: {
      claim: ({ olderThanMs, limit }) => {
        world.ages.push(olderThanMs);
        return Promise.resolve(world.untaken.splice(0, limit));
      },
      giveBack: (events) => {
        world.givenBack.push(...events.map((event) => event.seq));
        return Promise.resolve();
      },
    },
    due: {
      claim: ({ overdueMs, limit }) => {
        world.overdue.push(overdueMs);
        return Promise.resolve(world.due.splice(0, limit));
      },
      giveBack: (keys) => {
        world.givenBackOrders.push(...keys.map((key) => key.id));
        return Promise.resolve();
      },
    },
    joinLinks: () => Promise.resolve(world.linked),
    deliver: (key: OrderKey, events: OrderEvent[], requestId: string) => {
      world.calls += 1;
      if (world.answer.kind === 'sent') {
        world.sent.push({ order: key.id, seqs: events.map((event) => event.seq), requestId });
      }
      return Promise.resolve(world.answer);
    },
    reachability,
    log,
    clock,
    redeliverAfterMs: REDELIVER_AFTER_MS,
    batch: 200,
    count: (what, n) => (world.counts[what] = (world.counts[what] ?? 0) + n),
  });
  const claimed = (order: string, seq: number, attempt = 1): ClaimedEvent => ({
    key: keyOf(order),
    event: eventOf(seq),
    attempt,
  });
  return { world, sweeper, reachability, claimed };
}

describe('the sweeper', () => {
  test('sends all that waits for one order in one signal, under the number of the attempt', async () => {
    const { world, sweeper, claimed } = setup();
    world.untaken = [claimed('1', 1), claimed('2', 2, 3), claimed('1', 3)];
    await sweeper.runOnce();
    expect(world.sent.map(({ order, seqs }) => [order, seqs])).toEqual([
      ['1', ['1', '3']],
      ['2', ['2']],
    ]);
    expect(world.sent[1]?.requestId).toBe('shop/evt_2#3');
    expect(world.counts).toMatchObject({ events_sent: 3, events_failed: 0 });
  });

  test('never goes under the same request id twice, so that the server drops no deliberate repetition', async () => {
    const { world, sweeper, claimed } = setup();
    world.untaken = [claimed('1', 1, 1)];
    await sweeper.runOnce();
    world.untaken = [claimed('1', 1, 2)];
    await sweeper.runOnce();
    expect(new Set(world.sent.map(({ requestId }) => requestId)).size).toBe(2);
  });

  test('wakes orders that are due and silent by an empty signal', async () => {
    const { world, sweeper } = setup();
    world.due = [keyOf('7'), keyOf('8')];
    await sweeper.runOnce();
    expect(world.sent.map(({ order, seqs }) => [order, seqs])).toEqual([
      ['7', []],
      ['8', []],
    ]);
    expect(world.sent[0]?.requestId).not.toBe(world.sent[1]?.requestId);
  });

  test('leaves young events to the call of their receiver', async () => {
    const { world, sweeper } = setup();
    await sweeper.runOnce();
    expect(world.ages).toEqual([REDELIVER_AFTER_MS]);
    expect(world.overdue).toEqual([REDELIVER_AFTER_MS]);
  });

  test('says there is more as long as batches are full', async () => {
    const { world, sweeper, claimed } = setup();
    world.untaken = Array.from({ length: 250 }, (_, n) => claimed(`o${n}`, n));
    expect(await sweeper.runOnce()).toBe(true);
    expect(await sweeper.runOnce()).toBe(false);
    expect(world.sent).toHaveLength(250);
  });

  test('what could not be sent because Temporal is away is given back, and no more is tried', async () => {
    const { world, sweeper, reachability, claimed } = setup();
    world.untaken = Array.from({ length: 150 }, (_, n) => claimed(`o${n}`, n));
    world.answer = UNREACHABLE;
    const probes = [Promise.resolve()];
    world.probe = () => probes.shift() ?? Promise.reject(new Error('no server'));
    expect(await sweeper.runOnce()).toBe(false);
    expect(world.givenBack).toHaveLength(150);
    expect(await reachability.check()).toBe(false);
    await reachability.stop();
  });

  test('a server that is too slow for many calls of a round gets no more of it', async () => {
    const { world, sweeper, reachability, claimed } = setup();
    world.untaken = Array.from({ length: 150 }, (_, n) => claimed(`o${n}`, n));
    world.answer = UNREACHABLE;
    expect(await sweeper.runOnce()).toBe(false);
    expect(world.givenBack).toHaveLength(150);
    expect(world.calls).toBeLessThan(30);
    expect(reachability.isDown).toBe(false);
  });

  test('an order that is due is given back as well', async () => {
    const { world, sweeper, reachability } = setup();
    world.due = [keyOf('7')];
    world.answer = UNREACHABLE;
    await sweeper.runOnce();
    expect(world.givenBackOrders).toEqual(['7']);
    await reachability.stop();
  });

  test('a signal that the server refuses counts as an attempt and does not stop the others', async () => {
    const { world, sweeper, claimed } = setup();
    world.untaken = [claimed('1', 1), claimed('2', 2)];
    world.answer = { kind: 'refused', error: new Error('workflow is busy') };
    await sweeper.runOnce();
    expect(world.givenBack).toEqual([]);
    expect(world.counts).toMatchObject({ events_failed: 2 });
    expect(world.warnings).toHaveLength(2);
  });

  test('claims nothing while Temporal is away, and notices it without any work of its own', async () => {
    const { world, sweeper, reachability } = setup();
    world.probe = () => Promise.reject(new Error('no server'));
    await sweeper.runOnce();
    await sweeper.runOnce();
    expect(world.ages).toEqual([]);
    expect(world.warnings).toEqual(['Temporal cannot be reached; events are stored and wait']);
    await reachability.stop();
  });

  test('after an outage all that came in meanwhile is due at once, and old habits return later', async () => {
    const { world, sweeper, reachability } = setup();
    world.probe = () => Promise.reject(new Error('no server'));
    await sweeper.runOnce();
    world.nowMs += 30_000;
    const isBack = new Promise<void>((resolve) => reachability.onChange(() => resolve()));
    world.probe = () => Promise.resolve();
    await isBack;
    await sweeper.runOnce();
    world.nowMs += 10_000;
    await sweeper.runOnce();
    world.nowMs += 600_000;
    await sweeper.runOnce();
    expect(world.ages).toEqual([1_000, 7_000, REDELIVER_AFTER_MS]);
  });
});
