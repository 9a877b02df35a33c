import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRandom } from '../../../../src/dev/sandbox/random.ts';
import { plan, STORIES } from '../../../../src/dev/simulate/plan.ts';
import type { ToldEvent } from '../../../../src/dev/simulate/teller.ts';

const events = (count: number): ToldEvent[] =>
  Array.from({ length: count }, (_, index) => ({ source: 's', id: `e${index}`, type: 't', body: '{}' }));
const ids = (planned: ReturnType<typeof plan>) => planned.map(({ event }) => event.id);
const told = (count: number, story: Parameters<typeof plan>[1], seed = 'a') =>
  plan(events(count), story, createRandom(seed));

it('every story delivers each event, genuine, but for the one that it loses', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 12 }),
      fc.constantFrom(null, ...STORIES),
      fc.string(),
      (count, story, seed) => {
        const planned = told(count, story, seed);
        const genuine = planned.filter(({ forgery, expected }) => forgery === null && expected !== 'lost');
        expect(new Set(ids(genuine)).size).toBe(story === 'lost' ? count - 1 : count);
        expect(
          planned.every(({ forgery, expected }) => (forgery === null) === (expected !== 'refused')),
        ).toBe(true);
      },
    ),
  );
});

it('reordered is never the order in which it happened, and the last event is never lost', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 6 }), fc.string(), (count, seed) => {
      expect(ids(told(count, 'reordered', seed))).not.toEqual(ids(told(count, null)));
      expect(told(count, 'lost', seed).at(-1)?.expected).toBe('accepted');
    }),
  );
});

it('late delivers the first last, duplicate says each again', () => {
  expect(ids(told(3, 'late'))).toEqual(['e1', 'e2', 'e0']);
  expect(told(2, 'duplicate').map(({ event, expected }) => `${event.id} ${expected}`)).toEqual([
    'e0 accepted',
    'e0 known',
    'e1 accepted',
    'e1 known',
  ]);
});

it('says what one event alone cannot be', () => {
  for (const story of ['reordered', 'late', 'lost'] as const)
    expect(() => told(1, story)).toThrow(`told ${story}`);
  expect(told(1, 'forged')).toHaveLength(2);
});
