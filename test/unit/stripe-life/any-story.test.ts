/**
 * Whatever happens to an order, told while it happens, in any order, late, twice, and answered by readers that are
 * behind for less than the lag window: it ends as if all had come at once and in its order, or a person is asked.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { order } from '../../../src/init/templates/stripe/order.ts';
import { hearing } from '../providers/stripe/hearing.ts';
import { isOfShop, isOfStripe, RandomStory } from './random-story.ts';
import type { Told } from './random-story.ts';

const STEPS = 9;
const LAG_MS = 55_000;

/** Chance that can be had again. */
function chanceBy(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

type Heard = ReturnType<typeof hearing>;

function hear(heard: Heard, told: Told[]): void {
  heard.hearShop(...told.filter(isOfShop));
  heard.hear(...told.filter(isOfStripe));
}

async function inOrder(story: RandomStory): Promise<Heard> {
  const heard = hearing(order, story.world);
  for (let step = 0; step < STEPS; step += 1) {
    hear(heard, story.next());
    await heard.rest();
  }
  return heard;
}

async function asItComes(story: RandomStory, chance: () => number): Promise<Heard> {
  const heard = hearing(order, story.world);
  const all: Told[] = [];
  const left: Told[] = [];
  const happenedAt: number[] = [];
  const pick = (from: Told[]) => Math.floor(chance() * from.length);
  for (let step = 0; step < STEPS || left.length > 0;) {
    const dice = chance();
    if (step < STEPS && dice < 0.3) {
      const news = story.next();
      step += 1;
      all.push(...news);
      left.push(...news);
      while (happenedAt.length < story.world.happenings.length) happenedAt.push(heard.now());
    } else if (left.length > 0 && dice < 0.7)
      hear(heard, left.splice(pick(left), 1 + Math.floor(chance() * 3)));
    else if (dice < 0.85) {
      const recent = happenedAt.filter((at) => at > heard.now() - LAG_MS).length;
      await heard.answer(Math.min(Math.floor(chance() * 3), recent));
    } else if (dice < 0.92) await heard.rest();
    else if (all.length > 0) hear(heard, [all[pick(all)] as Told]);
  }
  await heard.rest();
  return heard;
}

const bookings = (heard: Heard) => heard.running().filter((effect) => /^(un)?bookRefund\//.test(effect));

test('any story ends as it would have in its order, with every refund booked, or a person is asked', async () => {
  const seed = fc.integer({ min: 0, max: 2 ** 32 - 1 });
  await fc.assert(
    fc.asyncProperty(seed, seed, fc.constantFrom(1, 2), async (happens, arrives, mostPayments) => {
      const story = new RandomStory(chanceBy(happens), { mostPayments });
      const heard = await asItComes(story, chanceBy(arrives));
      if (heard.isInDoubt()) return;
      const refunds = story.payments.flatMap((payment) => payment.refunds);
      const failed = refunds.filter(({ hasFailed }) => hasFailed);
      expect({ story: story.verbs, booked: bookings(heard) }).toEqual({
        story: story.verbs,
        booked: [
          ...refunds.map(({ id }) => `bookRefund/${id}`),
          ...failed.map(({ id }) => `unbookRefund/${id}`),
        ].sort(),
      });
      expect(story.payments.filter(({ standing }) => standing > 0).length).toBeLessThanOrEqual(1);

      const prompt = await inOrder(new RandomStory(chanceBy(happens), { mostPayments }));
      if (prompt.isInDoubt()) return;
      const ends = (one: Heard) => ({ story: story.verbs, status: one.state.status });
      expect(ends(heard)).toEqual(ends(prompt));
    }),
    { numRuns: Number(process.env['STORIES'] ?? 400) },
  );
}, 120_000);
