import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../src/dev/sandbox/random.ts';
import { tellStories } from '../../../../src/dev/sandbox/stories.ts';
import { STATUS_OF, type Story } from '../../../../src/dev/sandbox/story.ts';
import { playStory } from './play-story.ts';

const stories = (seed: string, count = 200) => tellStories(count, createRandom(seed));

describe('stories', () => {
  it('are the same for the same seed and others for another', () => {
    expect(stories('a')).toEqual(stories('a'));
    expect(stories('a')).not.toEqual(stories('b'));
  });

  it('do not change when more of them are told', () => {
    expect(stories('a', 250).slice(0, 200)).toEqual(stories('a', 200));
  });

  it('tell of every ending', () => {
    const endings = new Set(stories('a', 400).map(({ truth }) => truth.status));
    const all = new Set(Object.values(STATUS_OF));
    expect([...endings].sort()).toEqual([...all].sort());
  });

  it('have numbers that no double can tell apart', () => {
    const numeric = stories('a').filter((story) => story.numericOrder);
    expect(numeric.length).toBeGreaterThan(10);
    expect(new Set(numeric.map(({ order }) => order)).size).toBe(numeric.length);
    expect(new Set(numeric.map(({ order }) => Number(order))).size).toBeLessThan(numeric.length / 5);
  });

  it('end as the last word says, so that a handler which hears all in order is right', () => {
    for (const { happenings, truth } of stories('a', 400)) {
      const words = happenings.filter(({ type }) => STATUS_OF[type] !== undefined);
      expect(STATUS_OF[words.at(-1)?.type ?? '']).toBe(truth.status);
    }
  });

  it('book each refund once and expect each effect once', () => {
    for (const { truth } of stories('a', 400)) {
      const named = truth.effects.map(({ name, of }) => `${name} ${of}`);
      expect(new Set(named).size).toBe(named.length);
    }
  });
});

describe('the one ending of each story', () => {
  const tellTitle = (title: string): Story[] =>
    stories('endings', 250).filter((story) => story.title === title);
  const titles = [...new Set(stories('endings', 250).map(({ title }) => title))].sort();

  it.each(titles)('%s: whatever is heard first, lost or asked for', async (title) => {
    for (const [index, story] of tellTitle(title).entries()) {
      for (const lossShare of [0, 0.3, 0.9]) {
        for (let attempt = 0; attempt < 4; attempt++) {
          const chance = createRandom(`${title} ${index} ${lossShare} ${attempt}`);
          const { state, effects, log } = await playStory(story, chance, lossShare);
          const told = log.join('\n');
          expect([state.status, state.attention], told).toEqual([story.truth.status, []]);
          expect(held(state), told).toEqual([]);
          expectEffects(story, effects, told);
        }
      }
    }
  });
});

function held(state: Awaited<ReturnType<typeof playStory>>['state']): string[] {
  return Object.values(state.streams).flatMap((stream) => stream.held.map(({ event }) => event));
}

/** Which were asked for; whether one that no longer fits is dropped is the business of who runs them. */
function expectEffects(
  story: Story,
  effects: { name: string; once: string; facts: Record<string, string>; cause: { type: string } }[],
  told: string,
): void {
  const asked = new Map<string, Set<string>>();
  for (const { name, once, facts, cause } of effects) {
    const of = name === 'bookRefund' ? facts['refund'] : name === 'alertFinance' ? cause.type : null;
    const label = `${name} ${of}`;
    asked.set(label, (asked.get(label) ?? new Set()).add(once));
  }
  for (const [label, keys] of asked) expect(keys.size, `${label}\n${told}`).toBe(1);
  const allowed = new Set(story.truth.effects.map(({ name, of }) => `${name} ${of}`));
  for (const label of asked.keys()) expect(allowed, `${label}\n${told}`).toContain(label);
  for (const { name, of, required } of story.truth.effects) {
    if (required) expect(asked.has(`${name} ${of}`), `${name} ${of} is missing\n${told}`).toBe(true);
  }
}
