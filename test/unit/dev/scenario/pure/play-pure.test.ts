/** Stories in memory: what the store, the workflow and the activities do around the core is done there as well. */
import { describe, expect, it } from 'vitest';
import { order } from '../../../../../machines/order.ts';
import { needsRealStack } from '../../../../../src/dev/scenario/pure/needs-real-stack.ts';
import { observePure, playPure, preparePure } from '../../../../../src/dev/scenario/pure/play-pure.ts';
import { scenarioSchema } from '../../../../../src/dev/scenario/format/scenario.ts';

type Fields = Record<string, unknown>;

const SOURCES = { shop: { provider: 'sandbox', first: '1' }, payments: { provider: 'sandbox', first: '1' } };

function story(written: Fields) {
  const scenario = scenarioSchema.parse({
    name: 'a story',
    order: '1042',
    sources: SOURCES,
    expect: {},
    ...written,
  });
  return preparePure({ scenario, file: 'story.yaml', machine: order });
}

const played = (written: Fields) => playPure(story(written));

const created = { source: 'shop', event: 'created', type: 'order.created' };
const cancelled = { source: 'shop', event: 'cancelled', type: 'order.cancelled' };
const captured = { source: 'payments', event: 'captured', type: 'payment.captured', object: 'p1' };
const refunded = {
  source: 'payments',
  event: 'refunded',
  type: 'payment.refunded',
  object: 'p1',
  facts: { refund: 're_1' },
};

describe('a story in memory', () => {
  it('is not at rest while an answer of a slow API only has to stand for a while', async () => {
    const told = (event: string, type: string, after: string) => ({
      ...{ source: 'stripe', event, type, object: 'payment:pi_1', after },
      facts: { amount: '2000', ...(type.includes('refund') ? { refund: 're_1' } : {}) },
    });
    const diffs = await played({
      sources: { stripe: { provider: 'stripe', lagWindow: '1s' } },
      truth: {
        stripe: {
          'payment:pi_1': {
            ...{ type: 'payment.refunded', facts: { amount: '2000' } },
            parts: [{ type: 'payment.refunded', facts: { refund: 're_1', amount: '2000' } }],
          },
        },
      },
      api: { stripe: { slow: '200ms' } },
      deliveries: [
        told('evt_2', 'charge.succeeded', '2339ms'),
        told('evt_3', 'charge.refunded', '835ms'),
        told('evt_1', 'payment_intent.succeeded', '664ms'),
        told('evt_4', 'refund.created', '89ms'),
      ],
      expect: { order: { status: 'partially_refunded' } },
    });
    expect(diffs).toEqual([]);
  });

  it('ends as it says, once, also when all is delivered again', async () => {
    const diffs = await played({
      deliveries: [created, { ...captured, copies: 3 }],
      expect: {
        order: { status: 'paid', bearer: 'p1', attention: [] },
        events: { created: 'applied', captured: { outcome: 'applied', deliveries: 3 } },
        effects: {
          fulfil: {
            times: 1,
            calls: 1,
            keys: ['order/test/1042/fulfil/order'],
            body: { cause: { event: 'captured' } },
          },
          releaseStock: 0,
        },
      },
    });
    expect(diffs).toEqual([]);
  });

  it('says what differs, by its place', async () => {
    const diffs = await played({
      deliveries: [created],
      expect: { order: { status: 'paid' }, events: { created: 'ignored' } },
    });
    expect(diffs.map(({ path }) => path.join('.'))).toEqual(['expect.order.status', 'expect.events.created']);
  });

  it('waits for a gap in virtual time, and goes on when it closes', async () => {
    const diffs = await played({
      deliveries: [
        { ...created, version: 1 },
        { source: 'shop', event: 'third', type: 'order.shipped', version: 3 },
        { until: { event: 'third', outcome: 'held' } },
        { until: { attention: 'gap' }, within: '1s' },
        { source: 'shop', event: 'second', type: 'order.updated', version: 2, after: '1h' },
      ],
      expect: { order: { status: 'awaiting_payment' }, events: { second: 'ignored', third: 'held' } },
    });
    expect(diffs).toEqual([]);
  });

  it('asks the provider, who is down at first, and takes what is true', async () => {
    const diffs = await played({
      truth: { payments: {} },
      api: { payments: { down: 2 } },
      deliveries: [
        captured,
        { ...refunded, event: 'lost', lost: true },
        { ...refunded, version: 3, facts: { refund: 're_2' } },
      ],
      expect: {
        order: { status: 'refunded', attention: [] },
        effects: { bookRefund: 2, fulfil: 1 },
        asked: { payments: 3 },
      },
    });
    expect(diffs).toEqual([]);
  });

  it('lets a person decide, and refuses what the table does not allow', async () => {
    const diffs = await played({
      deliveries: [
        captured,
        { source: 'payments', event: 'second', type: 'payment.captured', object: 'p2' },
        { until: { attention: 'review' } },
        { person: 'resolve', event: 'second', as: { status: 'shipped' }, refused: 'not to shipped' },
        { person: 'resolve', event: 'second', as: 'ignore', by: 'ann', reason: 'paid back by hand' },
      ],
      expect: {
        order: { status: 'paid', attention: [], journal: [{ kind: 'review' }, { kind: 'resolved' }] },
        events: { second: 'ignored' },
      },
    });
    expect(diffs).toEqual([]);
  });

  it('knows twins, and other news under one id', async () => {
    const seen = await observePure(
      story({
        deliveries: [
          created,
          { ...created, event: 'created-by-another-subscription', version: 1 },
          { ...created, type: 'order.cancelled', version: 2 },
        ],
      }),
    );
    expect(seen.events.map(({ id, outcome }) => [id.replace(/[0-9a-f]{16}$/, ''), outcome])).toEqual([
      ['created', 'applied'],
      ['created-by-another-subscription', 'stale'],
      ['created~conflict-', 'review'],
    ]);
  });

  it('finds the order of an event that names none, by a link or by asking', async () => {
    const diffs = await played({
      order: undefined,
      sources: { payments: SOURCES.payments },
      truth: { payments: { 'payment:p2': { type: 'payment.captured', version: 1, order: '7' } } },
      deliveries: [
        { ...refunded, order: null, version: 2 },
        { ...captured, order: '6', version: 1 },
        { ...captured, event: 'other', object: 'p2', order: null },
        { until: { order: '7', status: 'paid' } },
      ],
      expect: { orders: { 6: { status: 'refunded' }, 7: { status: 'paid' } } },
    });
    expect(diffs).toEqual([]);
  });

  it('gives nothing of another order to this one', async () => {
    const diffs = await played({
      order: undefined,
      deliveries: [
        { ...captured, order: '6' },
        { ...captured, event: 'claimed', type: 'payment.refunded', order: '7', version: 2 },
      ],
      expect: { orders: { 6: { status: 'paid' }, 7: { status: 'new', attention: ['conflict'] } } },
      again: false,
    });
    expect(diffs).toEqual([]);
  });

  it('repeats an effect under its key until it is done, and asks a person when it cannot know', async () => {
    const diffs = await played({
      effects: {
        sendReceipt: { refuses: 2 },
        fulfil: { doesAndAnswers500: 1 },
        releaseStock: { doesAndIsSilent: 1, keyTtl: '0' },
      },
      deliveries: [captured, { until: { settled: true } }, cancelled],
      expect: {
        order: { status: 'cancelled', attention: ['effect'] },
        effects: {
          sendReceipt: { times: 1, calls: 3 },
          fulfil: { times: 1, calls: 2 },
          releaseStock: { times: 1, calls: 1, state: 'uncertain' },
        },
      },
    });
    expect(diffs).toEqual([]);
  });

  it('refuses at the door what the receiver refuses', async () => {
    const diffs = await played({
      deliveries: [
        { ...created, sign: { secret: 'wrong' }, http: 401, error: 'signature_invalid' },
        { ...created, sign: { age: '10m' }, http: 401 },
        { source: 'shop', body: '{"broken', http: 400 },
      ],
      expect: {
        orders: { 1042: 'absent' },
        events: { created: 'absent' },
        refused: { signature_invalid: 1 },
      },
    });
    expect(diffs).toEqual([]);
  });

  it('acts by a deadline, a day later', async () => {
    const diffs = await played({
      truth: { shop: {} },
      deliveries: [created, { until: { status: 'cancelled' }, within: '2d' }],
      expect: { order: { status: 'cancelled', journal: [{ kind: 'deadline' }] } },
    });
    expect(diffs).toEqual([]);
  });
});

it('says what of a story only the real stack has', () => {
  const of = (written: Fields) => needsRealStack(story({ deliveries: [created], ...written }).scenario);
  expect(of({})).toBeNull();
  expect(of({ faults: [{ kill: 'worker', at: 'effect.sent' }] })).toContain('faults');
  expect(of({ deliveries: [{ stop: 'mysql' }] })).toBe('stop');
  expect(of({ deliveries: [{ until: { workflow: 'closed' } }] })).toContain('workflow');
});
