import { describe, expect, it } from 'vitest';
import { KINDS, planProof, type PlannedOrder } from '../../../../src/dev/prove/plan.ts';
import { STATUS_OF } from '../../../../src/dev/sandbox/story.ts';

const plan = (seed = '1', stories = 300) => planProof({ stories, durationMs: 60_000, seed, mark: '' });
const of = (kind: PlannedOrder['kind']) =>
  plan()
    .flat()
    .filter((order) => order.kind === kind);
const sequenceOf = ({ steps }: PlannedOrder) => steps.map((step) => step.of);
const isRising = (list: number[]) =>
  list.every((item, index) => index === 0 || item > (list[index - 1] ?? 0));
const isKilled = ({ steps }: PlannedOrder) => steps.some(({ crash }) => crash !== null);

describe('the plan of a proof', () => {
  it('is the same for the same seed and another for another', () => {
    expect(plan()).toEqual(plan());
    expect(plan()).not.toEqual(plan('2'));
  });

  it('has orders of each kind, also when it is short, and the orders in order beside them', () => {
    for (const stories of [7, 24, 300]) {
      const orders = plan('1', stories).flat();
      expect(orders.filter(({ kind }) => kind !== 'in order')).toHaveLength(stories);
      expect(new Set(orders.map(({ kind }) => kind))).toEqual(new Set(['in order', ...KINDS]));
    }
  });

  it('tells `in order` once, in order, each event in a second of its own, and kills nobody', () => {
    for (const order of of('in order')) {
      expect(sequenceOf(order)).toEqual(order.story.happenings.map((_, index) => index));
      expect(isRising(order.seconds)).toBe(true);
      expect(
        order.steps.every(({ copies, crash, runsOn }) => copies === 1 && crash === null && !runsOn),
      ).toBe(true);
    }
  });

  it('has one trouble in each of the others', () => {
    for (const order of of('shuffled').filter(({ story }) => story.happenings.length > 1)) {
      expect([...sequenceOf(order)].sort((a, b) => a - b)).toEqual(order.story.happenings.map((_, at) => at));
      expect(isRising(sequenceOf(order))).toBe(false);
    }
    for (const { lost, steps, story } of of('lost')) {
      expect(STATUS_OF[story.happenings[lost[0] ?? 0]?.type ?? '']).toBeDefined();
      expect(steps).toHaveLength(story.happenings.length - 1);
    }
    const copies = of('repeated').map(({ steps, story }) => ({
      all: steps.reduce((sum, step) => sum + step.copies, 0),
      happened: story.happenings.length,
    }));
    expect(copies.filter(({ all, happened }) => all > happened).length).toBeGreaterThan(20);
    expect(of('same second').filter(({ seconds }) => !isRising(seconds)).length).toBeGreaterThan(20);
    expect(of('parallel').filter(({ steps }) => steps.some(({ runsOn }) => runsOn)).length).toBeGreaterThan(
      20,
    );
    expect(of('killed').every(isKilled)).toBe(true);
  });

  it('kills nobody before the orders that are told without it are over', () => {
    const phases = plan();
    expect(phases).toHaveLength(3);
    expect(phases.map((orders) => orders.some(isKilled))).toEqual([false, false, true]);
  });
});
