import { expect, it } from 'vitest';
import { commandOf, type ChaosRun } from '../../../../src/dev/chaos/run.ts';
import { shrink } from '../../../../src/dev/chaos/shrink.ts';

const failing: ChaosRun = { seed: 7, minutes: 4, orders: 240, only: null };
const HOUR_MS = 3_600_000;

async function shrinkWith(fails: (run: ChaosRun) => boolean, limitMs = HOUR_MS) {
  const tried: ChaosRun[] = [];
  let nowMs = 0;
  const shortest = await shrink(failing, {
    limitMs,
    fails: (run) => {
      nowMs += run.minutes * 60_000;
      return Promise.resolve(fails(run));
    },
    onTry: (run) => tried.push(run),
    now: () => nowMs,
  });
  return { shortest, tried, nowMs };
}

it('finds the two kinds that it takes, the shortest time and the fewest orders', async () => {
  const { shortest, tried } = await shrinkWith(
    ({ only, orders }) =>
      orders >= 30 && (only === null || (only.includes('kill-worker') && only.includes('clock'))),
  );
  expect(shortest).toEqual({ seed: 7, minutes: 0.5, orders: 30, only: ['kill-worker', 'clock'] });
  expect(commandOf(shortest)).toBe(
    'npm run chaos -- --minutes 0.5 --seed 7 --orders 30 --only kill-worker,clock',
  );
  expect(new Set(tried.map((run) => commandOf(run))).size).toBe(tried.length);
});

it('says the run itself where no shorter one fails', async () => {
  expect((await shrinkWith(() => false)).shortest).toBe(failing);
});

it('begins none that may not end in time', async () => {
  const { tried, nowMs } = await shrinkWith(() => true, 5 * 60_000);
  expect(tried.length).toBeGreaterThan(0);
  expect(nowMs).toBeLessThanOrEqual(5 * 60_000);
  expect((await shrinkWith(() => true, 0)).tried).toEqual([]);
});
