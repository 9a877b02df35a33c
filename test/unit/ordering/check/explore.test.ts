import { describe, expect, test } from 'vitest';
import { explore } from '../../../../src/ordering/check/explore.ts';
import type { Copy, Model } from '../../../../src/ordering/check/model.ts';
import { walksOf } from '../../../../src/ordering/check/walks.ts';
import type { Walk } from '../../../../src/ordering/check/walks.ts';
import type { Contract, SourcePolicy } from '../../../../src/ordering/state.ts';
import { demoMachine } from '../../dispatch/demo-machine.ts';

interface Source {
  contract: Contract;
  api: boolean;
  first: '1' | 'any';
}
const SOURCES: Source[] = [
  { contract: 'sequence', api: true, first: '1' },
  { contract: 'sequence', api: true, first: 'any' },
  { contract: 'sequence', api: false, first: '1' },
  { contract: 'sequence', api: false, first: 'any' },
  { contract: 'monotonic', api: true, first: 'any' },
  { contract: 'monotonic', api: false, first: 'any' },
  { contract: 'unordered', api: true, first: 'any' },
];

const policyOf = (source: Source): SourcePolicy => ({
  ...source,
  find: false,
  gapTimeoutMs: 30_000,
  lagWindowMs: 60_000,
  askDeadlineMs: 1_800_000,
  effects: 'run',
});

/** One stream that tells a walk, version by version. */
function modelOf(walk: Walk, source: Source): Model {
  const story = walk.words.map((word, at) => ({
    stream: 'src/thing:1',
    ...word,
    version:
      source.contract === 'unordered' ? null : String((at + 1) * (source.contract === 'sequence' ? 1 : 10)),
    claimedAt: `2026-01-01T00:00:0${at}Z`,
  }));
  return { machine: demoMachine, sources: { src: policyOf(source) }, story, versionedAnswers: true };
}

const truthOf = (walk: Walk, { story }: Model) => ({
  endings: [walk.statuses.at(-1) as string],
  passed: walk.statuses,
  last: story.at(-1) ?? null,
});

const once = (model: Model): Copy[] => model.story.map((_, happening) => ({ happening, id: `${happening}` }));

/** Every way through one copy of each event, with as many bad answers and early timers as said. */
function expectEveryWay(
  length: number,
  source: Source,
  allowance: { bad: number; wakes: number },
  copiesOf = once,
) {
  let endings = 0;
  let asked = 0;
  for (const walk of walksOf(demoMachine, length, 'p1')) {
    if (walk.words.length < length) continue;
    const model = modelOf(walk, source);
    const found = explore(model, copiesOf(model), truthOf(walk, model), allowance);
    expect(found.counterexamples, walk.words.map(({ type }) => type).join(', ')).toEqual([]);
    endings += found.endings;
    asked += found.asked;
  }
  return { endings, asked };
}

describe.each(SOURCES)('every way through a walk of three, $contract, api: $api, first: $first', (source) => {
  test('ends in the truth, or somebody is asked; effects once; all again changes nothing', () => {
    // Hints leave so many ways open that early timers are left to the walks of two.
    const wakes = source.contract === 'unordered' ? 0 : 1;
    const { endings } = expectEveryWay(3, source, { bad: 0, wakes });
    expect(endings).toBeGreaterThan(60);
  });

  test('also of two, with copies and a second id, with a failing or lagging answer, and with an early timer', () => {
    const twice = (model: Model) =>
      model.story.flatMap((_, happening) => [
        { happening, id: `${happening}` },
        { happening, id: `${happening}.${happening === 0 ? 'second' : '2'}` },
      ]);
    expectEveryWay(2, source, { bad: 0, wakes: 0 }, twice);
    expectEveryWay(2, source, { bad: 1, wakes: 1 });
  });
});

test('a lost event of three is made good by a last answer', () => {
  for (const source of SOURCES.filter(({ api }) => api))
    for (const lost of [0, 1, 2])
      expectEveryWay(3, source, { bad: 0, wakes: 0 }, (model) =>
        once(model).filter(({ happening }) => happening !== lost),
      );
});

test('four events of a sequence, in every order, end in the truth', () => {
  const { endings, asked } = expectEveryWay(4, SOURCES[0] as Source, { bad: 0, wakes: 0 });
  expect(asked / endings).toBeLessThan(0.15);
});
