/**
 * Lives at Stripe where nobody can be asked: with the table and the configuration that `inorder init` writes then, any
 * of a life's events in every order, each any number of times. True by what was told, or a person is asked; the books are
 * true in either case.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { stripeLife } from '../../../src/dev/stripe/life.ts';
import { StripeStory } from '../../../src/dev/stripe/story.ts';
import { StripeWorld } from '../../../src/dev/stripe/world.ts';
import { fillTemplates } from '../../../src/init/templates.ts';
import { explore } from './every-arrival.ts';
import type { Ending } from './every-arrival.ts';
import { readLife } from './life-told.ts';
import type { LifeTold } from './life-told.ts';

const folder = mkdtempSync(join(tmpdir(), 'inorder-without-key-'));
afterAll(() => rmSync(folder, { recursive: true }));

const written = await fillTemplates(
  { provider: 'stripe', environment: 'live', orderPaths: ['metadata.order_id'], paths: {}, withApi: false },
  0,
);
const file = join(folder, 'inorder.config.ts');
for (const [path, text] of [
  [file, written.config],
  [join(folder, 'machines/order.ts'), written.machine],
] as const) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
const variables = {
  STRIPE_WEBHOOK_SECRET: 'whsec_nFq1T5hF8AzqTSN5c0nSU1Nw0cQKV2oE',
  EFFECTS_URL: 'https://shop.example/hooks',
  EFFECTS_SECRET: 'whsec_M4c7cKx1jXwA3o9S6jG2m0pYcQKV2oEA',
};
// The test of `inorder init` makes the proof.
const config = await loadConfig(file, variables, { skipsProofs: true });
const source = config.sources.get('stripe');
const machine = config.machines.get('order')?.machine;
if (source === undefined || machine === undefined) throw new Error('the template has both');

const any = { machine, policy: source.policy, events: Infinity, copies: Infinity, lags: 0, wakes: 0 };
/** All events that Stripe sends of it, but those that the source does not want. */
const lifeOf = (world: StripeWorld): Promise<LifeTold> => readLife(world, () => true, source.types);

/** What is wrong with an ending, by what was told. */
function judge({ events }: LifeTold, { told, status, attention, effects }: Ending): string[] {
  const heard = events.filter(({ name }) => told.includes(name)).map(({ event }) => event);
  const refundsOf = (type: string) => [
    ...new Set(heard.filter((one) => one.type === type).map(({ facts }) => String(facts['refund']))),
  ];
  const made = refundsOf('payment.partially_refunded');
  const failed = refundsOf('refund.failed');
  const books = effects.filter((effect) => /^(un)?bookRefund\//.test(effect));
  const should = [
    ...made.map((refund) => `bookRefund/${refund}`),
    ...failed.map((refund) => `unbookRefund/${refund}`),
  ];
  const problems = books.filter((book) => !should.includes(book)).map((book) => `${book} is not true`);
  if (attention.length > 0) return problems;
  problems.push(...should.filter((book) => !books.includes(book)).map((book) => `${book} is missing`));
  const right = rightStatus(new Set(heard.map(({ type }) => type)));
  if (status !== right) problems.push(`should be ${right ?? 'in doubt'}`);
  return problems;
}

/** Null: only Stripe knows. */
function rightStatus(types: Set<string | null>): string | null {
  if (types.has('dispute.lost')) return 'charged_back';
  if (types.has('dispute.opened')) return 'disputed';
  const isRefunded = types.has('payment.refunded') || types.has('payment.partially_refunded');
  if (types.has('refund.failed')) return isRefunded ? null : 'refund_failed';
  if (types.has('payment.refunded')) return 'refunded';
  if (isRefunded) return 'partially_refunded';
  return types.has('payment.captured') ? 'paid' : 'payment_failed';
}

/** A payment of 2500, and all of it refunded: 500, then 2000. */
function refundedInParts(seed: string) {
  const world = new StripeWorld({ seed });
  const story = new StripeStory(world, { order: '1042' });
  const { payment } = story.beginPayment(story.openSession());
  story.succeedPayment(payment);
  story.refundPayment(payment, 500);
  return { world, story, payment, last: story.refundPayment(payment, 2_000).refund };
}

describe('a source for Stripe without a key, as init writes it', () => {
  test('two partial refunds, of which one fails, and a dispute', async () => {
    const life = await lifeOf(stripeLife({ order: '1042', seed: 'life' }).world);
    let asked = 0;
    const found = explore({ ...any, life }, (ending) => {
      if (ending.attention.length > 0) asked += 1;
      return judge(life, ending);
    });
    expect(found.problems).toEqual([]);
    expect(asked).toBeLessThan(found.endings);
  }, 180_000);

  test('all is refunded in parts: nobody is asked', async () => {
    const life = await lifeOf(refundedInParts('parts').world);
    const found = explore({ ...any, life }, (ending) => [...ending.attention, ...judge(life, ending)]);
    expect(found.problems).toEqual([]);
  }, 180_000);

  test('the last part fails and is refunded again', async () => {
    const { world, story, payment, last } = refundedInParts('again');
    story.failRefund(last);
    story.refundPayment(payment, 2_000);
    const life = await lifeOf(world);
    const found = explore({ ...any, life }, (ending) => judge(life, ending));
    expect(found.problems).toEqual([]);
  }, 180_000);

  test('a second captured payment is never unseen', async () => {
    const world = new StripeWorld({ seed: 'second' });
    const story = new StripeStory(world, { order: '1042' });
    const [first, second] = [0, 0].map(() => story.beginPayment(story.openSession()).payment) as [
      string,
      string,
    ];
    story.succeedPayment(first);
    story.succeedPayment(second);
    story.refundPayment(first, 500);
    story.openDispute(second);
    const life = await lifeOf(world);
    const isSeen = (told: string[]) =>
      [first, second].every((id) =>
        life.events.some(({ name, event }) => told.includes(name) && event.stream === `stripe/payment:${id}`),
      );
    const found = explore({ ...any, life }, ({ told, attention }) =>
      isSeen(told) && attention.length === 0 ? ['nobody is asked'] : [],
    );
    expect(found.problems).toEqual([]);
  }, 180_000);
});
