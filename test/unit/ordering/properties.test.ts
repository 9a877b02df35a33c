import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeEnding } from '../../../src/ordering/check/ending.ts';
import { act, asksOf, newWorld } from '../../../src/ordering/check/model.ts';
import type { World } from '../../../src/ordering/check/model.ts';
import { rest } from '../../../src/ordering/check/rest.ts';
import { copiesOf, play } from './play.ts';
import type { Play } from './play.ts';
import { modelOf, PLOTS, tellings } from './stories.ts';
import type { Telling } from './stories.ts';

/** 0 lost, 1 once, 2 twice under one id, 3 also under a second id, 4 with a tie, 5 with a conflict. */
const plays = (copies: number[], hasPerson = false): fc.Arbitrary<Play> =>
  fc.record({
    copies: fc.array(fc.constantFrom(...copies), { minLength: 7, maxLength: 7 }),
    choices: fc.array(fc.nat(59), { maxLength: 40 }),
    hasPerson: fc.constant(hasPerson),
  });

function problemsOf(telling: Telling, chance: Play, onStep: (world: World) => void = () => {}) {
  const model = modelOf(telling);
  const { world, way } = play(model, chance, onStep);
  const ending = judgeEnding(model, world, model.truth, copiesOf(model, chance));
  return { ...ending, way };
}

/** Each world that a decision leads to is frozen as a whole: what comes after must not change it. */
function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const part of Object.values(value)) freeze(part);
}

const RUNS = 1_500;

describe('whatever is delivered, in any order, with copies, answers and time in between', () => {
  test('the order ends in its true state or somebody is asked, effects once, and all again changes nothing', () => {
    fc.assert(
      fc.property(tellings(true), plays([1, 1, 2, 3]), (telling, chance) => {
        const { problems, way } = problemsOf(telling, chance);
        expect(problems, JSON.stringify(way)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  test('what is lost is made good by one last answer of the provider', () => {
    fc.assert(
      fc.property(tellings(false), plays([0, 1, 1, 3]), (telling, chance) => {
        const { problems, way } = problemsOf(telling, chance);
        expect(problems, JSON.stringify(way)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  test('other news under the same version or the same id never wins by arrival', () => {
    fc.assert(
      fc.property(tellings(true), plays([1, 3, 4, 5]), (telling, chance) => {
        const { problems, way } = problemsOf(telling, chance);
        expect(problems, JSON.stringify(way)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  test('a person’s words at any moment leave nothing stuck, settled twice or taken back', () => {
    fc.assert(
      fc.property(tellings(true), plays([0, 1, 3, 4, 5], true), (telling, chance) => {
        const { problems, way } = problemsOf(telling, chance);
        // What is lost where nobody can be asked is unknown, and so are its status and its effects.
        const faults = problems.filter(
          (problem) => !problem.startsWith('the order is ') && !problem.endsWith(' is missing'),
        );
        expect(faults, JSON.stringify(way)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('every state on the way', () => {
  test('is plain JSON, and no decision changes the one it was made on', () => {
    fc.assert(
      fc.property(tellings(true), plays([0, 1, 3, 5], true), (telling, chance) => {
        problemsOf(telling, chance, (world) => {
          freeze(world);
          expect(JSON.parse(JSON.stringify(world.state))).toEqual(world.state);
        });
      }),
      { numRuns: 500 },
    );
  });

  test('goes on the same way from its JSON', () => {
    fc.assert(
      fc.property(tellings(true), plays([1, 3]), (telling, chance) => {
        const model = modelOf(telling);
        const { world } = play(model, { ...chance, choices: chance.choices.slice(0, 12) }, () => {});
        const read = { ...world, state: JSON.parse(JSON.stringify(world.state)) as World['state'] };
        expect(rest(model, read).state).toEqual(rest(model, world).state);
      }),
      { numRuns: 500 },
    );
  });
});

describe('asking', () => {
  test('costs a bounded number of requests, however hints and bad answers mix', () => {
    fc.assert(
      fc.property(tellings(true), plays([1, 2, 3]), (telling, chance) => {
        const { world } = problemsOf(telling, chance);
        const calls = copiesOf(modelOf(telling), chance).length + chance.choices.length;
        // Each delivery, bad answer and timer may cause one; streams ask each other once for what is unexplained.
        expect(asksOf(world.state)).toBeLessThanOrEqual(2 * calls + 25);
      }),
      { numRuns: RUNS },
    );
  });

  test('of a provider that answers at once costs at most two requests per hint', () => {
    fc.assert(
      fc.property(tellings(false), fc.nat(5_000), (telling, seed) => {
        const hinted = { contract: 'unordered', api: true, first: 'any' } as const;
        const model = modelOf({
          ...telling,
          claims: 'exact',
          promises: { shop: hinted, pay: hinted, ship: hinted },
        });
        let world = newWorld(model, copiesOf(model, { copies: [], choices: [] }), 1e12);
        for (let at = 0; at < model.story.length; at++) world = act(model, world, { do: 'happen' });
        for (let left = model.story.length; left > 0; left--) {
          world = act(model, world, { do: 'deliver', copies: [seed % left] });
          world = rest(model, world);
        }
        const hints = model.story.filter(({ type }) => type !== null).length;
        const person = world.state.attention.length > 0;
        expect(asksOf(world.state)).toBeLessThanOrEqual(person ? 60 : 2 * hints + 2);
      }),
      { numRuns: RUNS },
    );
  });
});

test('stories with one ending need a person in few of many plays', () => {
  const certain = PLOTS.filter(({ ending }) => !ending.endsWith('?'));
  let asked = 0;
  const chances = fc.sample(fc.tuple(tellings(false), plays([1, 1, 2, 3])), { numRuns: 4_000, seed: 1 });
  for (const [telling, chance] of chances) {
    const plot = certain[chance.choices.length % certain.length] ?? telling.plot;
    if (problemsOf({ ...telling, plot }, chance).isAsked) asked += 1;
  }
  expect(asked / chances.length).toBeLessThan(0.03);
});
