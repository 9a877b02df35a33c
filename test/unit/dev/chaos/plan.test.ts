import { expect, it } from 'vitest';
import { describeFault, FAULT_KINDS } from '../../../../src/dev/chaos/fault.ts';
import { planFaults } from '../../../../src/dev/chaos/plan.ts';

const MINUTES = 60_000;

it('is the same for the same seed, and another for another', () => {
  const options = { durationMs: 3 * MINUTES, only: null };
  expect(planFaults({ ...options, seed: 7 })).toEqual(planFaults({ ...options, seed: 7 }));
  expect(planFaults({ ...options, seed: 8 })).not.toEqual(planFaults({ ...options, seed: 7 }));
});

it('begins in a longer run as in a shorter one', () => {
  const short = planFaults({ seed: 3, durationMs: 2 * MINUTES, only: null });
  const long = planFaults({ seed: 3, durationMs: 20 * MINUTES, only: null });
  expect(long.slice(0, short.length)).toEqual(short);
});

it('has with fewer kinds the very same faults of those', () => {
  const all = planFaults({ seed: 3, durationMs: 5 * MINUTES, only: null });
  const some = planFaults({ seed: 3, durationMs: 5 * MINUTES, only: ['kill-worker', 'cut-mysql'] });
  expect(some.length).toBeGreaterThan(2);
  expect(some).toEqual(all.filter(({ kind }) => kind === 'kill-worker' || kind === 'cut-mysql'));
});

it('has every kind in a run of minutes, at named points and elsewhere, and ends in time', () => {
  const durationMs = 20 * MINUTES;
  const plan = planFaults({ seed: 1, durationMs, only: null });
  expect(new Set(plan.map(({ kind }) => kind))).toEqual(new Set(FAULT_KINDS));
  const points = new Set(plan.flatMap((fault) => ('at' in fault ? [fault.at] : [])));
  expect(points.size).toBeGreaterThan(10);
  expect(points).toContain(null);
  expect(Math.max(...plan.map(({ atMs }) => atMs))).toBeLessThan(durationMs);
});

it('never sets the clock of a receiver so far back that an old signature is new again', () => {
  const clocks = Array.from({ length: 40 }, (_, seed) =>
    planFaults({ seed, durationMs: 10 * MINUTES, only: ['clock'] }),
  ).flat();
  const receivers = clocks.flatMap((fault) =>
    fault.kind === 'clock' && fault.process === 'receiver' ? [fault.byMs] : [],
  );
  expect(Math.min(...receivers)).toBe(-4 * MINUTES);
  expect(Math.max(...receivers)).toBe(9 * MINUTES);
});

it('says each fault in a line of its own', () => {
  const plan = planFaults({ seed: 1, durationMs: 4 * MINUTES, only: null });
  const lines = plan.map(describeFault);
  expect(lines.filter((line) => /^kill worker [12]( at \w+\.\w+)?$/.test(line)).length).toBeGreaterThan(0);
  expect(lines.every((line) => line.length > 10 && !line.includes('undefined'))).toBe(true);
});
