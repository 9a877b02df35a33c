import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../src/dev/sandbox/random.ts';
import { STATUS_OF } from '../../../../src/dev/sandbox/story.ts';
import { tellStories } from '../../../../src/dev/sandbox/stories.ts';
import { planStorm, type Storm } from '../../../../src/dev/traffic/storm.ts';
import { shareWork } from '../../../../src/dev/traffic/work-shares.ts';

const KILLS = 6;

function stormOf(seed: string, orders: number): Storm {
  const random = createRandom(seed);
  return planStorm(tellStories(orders, random.fork('stories')), 25_000, random.fork('storm'));
}

/** Announcements that change an order; nothing else keeps anybody busy. */
function workIn({ deliveries, happenings }: Storm, from: number, to: number): number {
  return deliveries
    .slice(from, to)
    .filter(({ kind, of }) => kind === 'first' && (happenings[of]?.happening.type ?? '') in STATUS_OF).length;
}

describe.each([
  ['11', 25],
  ['5', 60],
  ['1', 300],
  ['tail', 12],
])('the shares of storm %s with %d orders', (seed, orders) => {
  const storm = stormOf(seed, orders);
  const shares = shareWork(storm, KILLS);

  it('hold work for each kill, in what is sent before it and in what is kept back', () => {
    expect(shares).toHaveLength(KILLS);
    let passed = 0;
    for (const { before, all } of shares) {
      expect(workIn(storm, passed, before)).toBeGreaterThan(0);
      expect(workIn(storm, before, all)).toBeGreaterThan(0);
      passed = all;
    }
  });

  it('leave work for after the last kill', () => {
    expect(workIn(storm, shares.at(-1)?.all ?? 0, storm.deliveries.length)).toBeGreaterThan(0);
  });
});

it('a storm too small for so many kills has empty shares, and none runs backwards', () => {
  const shares = shareWork(stormOf('tiny', 1), KILLS);
  const ends = shares.flatMap(({ before, all }) => [before, all]);
  expect([...ends].sort((a, b) => a - b)).toEqual(ends);
});
