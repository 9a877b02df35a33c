import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../src/dev/sandbox/random.ts';
import { tellStories } from '../../../../src/dev/sandbox/stories.ts';
import { countLostLast, countOvertaken, planStorm } from '../../../../src/dev/traffic/storm.ts';

const stormOf = (seed: string, orders: number) => {
  const random = createRandom(seed);
  return planStorm(tellStories(orders, random.fork('stories')), 8_000, random.fork('storm'));
};
const ofKind = (storm: ReturnType<typeof stormOf>, kind: string) =>
  storm.deliveries.filter((delivery) => delivery.kind === kind);

describe('a storm', () => {
  it('is the same for the same seed and another for another', () => {
    expect(stormOf('a', 100)).toEqual(stormOf('a', 100));
    expect(stormOf('a', 100).deliveries).not.toEqual(stormOf('b', 100).deliveries);
  });

  describe.each([
    ['1', 60],
    ['2', 300],
    ['3', 300],
    ['4', 20],
  ])('of seed %s with %d orders', (seed, orders) => {
    const storm = stormOf(seed, orders);
    const firsts = ofKind(storm, 'first');
    const repeats = [...ofKind(storm, 'repeat'), ...ofKind(storm, 'twin')];

    it('lets at least a fifth arrive after a later one', () => {
      expect(countOvertaken(firsts, storm.happenings) / firsts.length).toBeGreaterThanOrEqual(0.2);
    });

    it('repeats a fifth, and a fifth of these in the same instant', () => {
      expect(repeats.length / (firsts.length + repeats.length)).toBeGreaterThanOrEqual(0.2);
      expect(ofKind(storm, 'twin').length / repeats.length).toBeGreaterThanOrEqual(0.2);
    });

    it('puts each twin directly behind what it repeats', () => {
      for (const [index, delivery] of storm.deliveries.entries()) {
        if (delivery.kind !== 'twin') continue;
        const before = storm.deliveries[index - 1];
        expect([before?.of, before?.atMs]).toEqual([delivery.of, delivery.atMs]);
      }
    });

    it('loses a twentieth, the last of an object among them', () => {
      expect(storm.lost.length / storm.happenings.length).toBeCloseTo(0.05, 1);
      expect(storm.lost.length).toBeGreaterThan(0);
      expect(countLostLast(storm)).toBeGreaterThan(0);
      expect(countLostLast(storm)).toBeLessThanOrEqual(storm.lost.length);
      const sent = new Set(storm.deliveries.filter(({ kind }) => kind !== 'forged').map(({ of }) => of));
      expect(storm.lost.filter((index) => sent.has(index))).toEqual([]);
      expect(sent.size + storm.lost.length).toBe(storm.happenings.length);
    });

    it('forges a twentieth in each of three ways', () => {
      const forged = ofKind(storm, 'forged');
      expect(forged.length / storm.deliveries.length).toBeGreaterThanOrEqual(0.05);
      expect(new Set(forged.map(({ forgery }) => forgery))).toEqual(
        new Set(['wrong_secret', 'changed_byte', 'old_time']),
      );
    });

    it('announces nothing before it happens', () => {
      for (const { atMs, of } of storm.deliveries) {
        expect(atMs).toBeGreaterThanOrEqual(storm.happenings[of]?.atMs ?? Infinity);
      }
    });
  });
});
