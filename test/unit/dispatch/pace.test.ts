import { expect, test } from 'vitest';
import { Pace } from '../../../src/dispatch/pace.ts';

function setup(most: number) {
  const world = { nowMs: 0 };
  return { world, pace: new Pace(most, () => world.nowMs) };
}

test('all calls are allowed until one comes too late, then half of them', () => {
  const { pace } = setup(32);
  pace.faster();
  expect(pace.limit).toBe(32);
  pace.slower();
  expect(pace.limit).toBe(16);
});

test('calls that left together and miss together slow it down once', () => {
  const { pace, world } = setup(32);
  for (let n = 0; n < 32; n += 1) pace.slower();
  expect(pace.limit).toBe(16);
  world.nowMs += 1_000;
  pace.slower();
  expect(pace.limit).toBe(8);
});

test('it never stops, and never asks for more than was allowed', () => {
  const { pace, world } = setup(32);
  for (let n = 0; n < 20; n += 1) {
    world.nowMs += 1_000;
    pace.slower();
  }
  expect(pace.limit).toBe(2);
  for (let n = 0; n < 10_000; n += 1) pace.faster();
  expect(pace.limit).toBe(32);
  const one = setup(1);
  one.pace.slower();
  expect(one.pace.limit).toBe(1);
});

test('it recovers one call for each round of answers in time', () => {
  const { pace } = setup(32);
  pace.slower();
  for (let n = 0; n < 16; n += 1) pace.faster();
  expect(pace.limit).toBeLessThanOrEqual(17);
  for (let n = 0; n < 400; n += 1) pace.faster();
  expect(pace.limit).toBeGreaterThan(24);
});
