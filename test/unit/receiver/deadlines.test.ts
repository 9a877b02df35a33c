import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { Deadlines } from '../../../src/receiver/deadlines.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('deadlines', () => {
  it('pass once, no earlier than their time and little later', () => {
    const deadlines = new Deadlines();
    const passed: number[] = [];
    const startedAt = Date.now();
    deadlines.set(250, () => passed.push(Date.now() - startedAt));
    deadlines.set(1_000, () => passed.push(Date.now() - startedAt));
    vi.advanceTimersByTime(249);
    expect(passed).toEqual([]);
    vi.advanceTimersByTime(2_000);
    expect(passed).toEqual([300, 1_000]);
  });

  it('that are cleared never pass, also when another one clears them', () => {
    const deadlines = new Deadlines();
    const passed: string[] = [];
    const cleared = deadlines.set(100, () => passed.push('cleared'));
    deadlines.clear(cleared);
    deadlines.set(100, () => {
      passed.push('first');
      deadlines.clear(second);
    });
    const second = deadlines.set(100, () => passed.push('second'));
    vi.advanceTimersByTime(1_000);
    expect(passed).toEqual(['first']);
  });

  it('leave no timer behind, and begin again', () => {
    const deadlines = new Deadlines();
    const passed: string[] = [];
    deadlines.set(100, () => passed.push('first'));
    vi.advanceTimersByTime(200);
    expect(vi.getTimerCount()).toBe(0);
    deadlines.set(100, () => passed.push('second'));
    vi.advanceTimersByTime(200);
    expect(passed).toEqual(['first', 'second']);
  });
});
