import { describe, expect, it } from 'vitest';

import { ByteBudget, ByteLease } from '../../../src/receiver/byte-budget.ts';

describe('the budget of bytes in memory', () => {
  it('is shared: what one lease holds, another cannot take', () => {
    const budget = new ByteBudget(100);
    const first = new ByteLease(budget);
    const second = new ByteLease(budget);
    expect(first.take(60)).toBe(true);
    expect(second.take(41)).toBe(false);
    expect(second.take(40)).toBe(true);
    expect(budget.usedBytes).toBe(100);
  });

  it('gets back what a lease gives and all that it holds at its end, once', () => {
    const budget = new ByteBudget(100);
    const lease = new ByteLease(budget);
    lease.take(80);
    lease.give(30);
    expect(budget.usedBytes).toBe(50);
    lease.end();
    lease.end();
    expect(budget.usedBytes).toBe(0);
  });

  it('takes nothing when it refuses', () => {
    const budget = new ByteBudget(10);
    const lease = new ByteLease(budget);
    expect(lease.take(11)).toBe(false);
    expect(budget.usedBytes).toBe(0);
  });
});
