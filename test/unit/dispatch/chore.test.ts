import { describe, expect, test } from 'vitest';
import { createChore } from '../../../src/dispatch/chore.ts';
import { recordingLog } from './order-events.ts';

/** Runs that end when the test says how, and a way to wait until the n-th has begun. */
function setup(everyMs = 1) {
  const warnings: string[] = [];
  const runs: { end: (hasMore: boolean) => void; fail: (error: Error) => void }[] = [];
  const waits: { count: number; resolve: () => void }[] = [];
  const chore = createChore({
    name: 'duster',
    everyMs,
    log: recordingLog(warnings),
    run: () =>
      new Promise<boolean>((end, fail) => {
        runs.push({ end, fail });
        for (const wait of waits) if (runs.length >= wait.count) wait.resolve();
      }),
  });
  const untilRuns = (count: number) =>
    new Promise<void>((resolve) => {
      if (runs.length >= count) resolve();
      else waits.push({ count, resolve });
    });
  const run = (index: number) => runs[index] as (typeof runs)[number];
  return { chore, runs, run, untilRuns, warnings };
}

describe('a chore', () => {
  test('refuses a pause that is none', () => {
    expect(() => setup(0)).toThrow('The chore "duster" needs a positive pause, got 0 ms.');
  });

  test('runs again after its pause, and at once when there is more', async () => {
    const { chore, run, untilRuns } = setup(5);
    chore.start();
    await untilRuns(1);
    run(0).end(true);
    await untilRuns(2);
    run(1).end(false);
    await untilRuns(3);
    run(2).end(false);
    await chore.stop();
  });

  test('does not rest when a run says there is more', async () => {
    const { chore, run, untilRuns } = setup(3_600_000);
    chore.start();
    await untilRuns(1);
    run(0).end(true);
    await untilRuns(2);
    run(1).end(false);
    await chore.stop();
  });

  test('never has two runs at once, and stop waits for the one under way', async () => {
    const { chore, runs, run, untilRuns } = setup();
    chore.start();
    chore.start();
    await untilRuns(1);
    const second = chore.runOnce();
    let isStopped = false;
    const stopped = chore.stop().then(() => (isStopped = true));
    await Promise.resolve();
    expect(runs).toHaveLength(1);
    expect(isStopped).toBe(false);
    run(0).end(true);
    await untilRuns(2);
    run(1).end(false);
    await Promise.all([second, stopped]);
    expect(runs).toHaveLength(2);
  });

  test('goes on after a failure, and says so once per series of failures', async () => {
    const { chore, run, untilRuns, warnings } = setup();
    chore.start();
    for (const index of [0, 1, 2]) {
      await untilRuns(index + 1);
      run(index).fail(new Error('no database'));
    }
    await untilRuns(4);
    run(3).end(false);
    await untilRuns(5);
    expect(warnings).toEqual(['The duster failed; it is tried again until it works']);
    run(4).end(false);
    await chore.stop();
  });
});
