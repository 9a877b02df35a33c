import { expect, test } from 'vitest';
import { judge } from '../../../../../src/dev/scenario/verdict/judge.ts';
import type { Observation } from '../../../../../src/dev/scenario/verdict/observation.ts';
import type { Scenario } from '../../../../../src/dev/scenario/format/scenario.ts';
import { scenarioSchema } from '../../../../../src/dev/scenario/format/scenario.ts';

const SEEN: Observation = {
  orders: [
    {
      id: '1042',
      status: 'refunded',
      bearer: 'pay_1',
      attention: [{ kind: 'gap', stream: 'shop/order:1042', reason: 'version 3 is missing' }],
      journal: [
        {
          kind: 'step',
          stream: 's',
          type: 'payment.captured',
          version: '1',
          from: 'new',
          to: 'paid',
          reason: null,
          cause: 's/e1',
        },
        {
          kind: 'step',
          stream: 's',
          type: 'payment.refunded',
          version: '2',
          from: 'paid',
          to: 'refunded',
          reason: null,
          cause: 's/e2',
        },
      ],
    },
  ],
  events: [
    {
      source: 's',
      id: 'e1',
      order: '1042',
      outcome: 'applied',
      reason: null,
      deliveries: 2,
      version: '1',
      secret: 'a',
      attempts: 0,
    },
    {
      source: 's',
      id: 'e2',
      order: '1042',
      outcome: 'held',
      reason: 'gap',
      deliveries: 1,
      version: '3',
      secret: 'a',
      attempts: 0,
    },
    {
      source: 't',
      id: 'e1',
      order: '1042',
      outcome: null,
      reason: null,
      deliveries: 1,
      version: null,
      secret: 'a',
      attempts: 0,
    },
  ],
  effects: [
    {
      name: 'fulfil',
      order: '1042',
      key: 'order/story-x/1042/fulfil/order',
      state: 'done',
      isDone: true,
      calls: 3,
      body: { effect: 'fulfil', order: { environment: 'story-x', status: 'paid', revision: 1 }, facts: {} },
    },
    {
      name: 'bookRefund',
      order: '1042',
      key: 'order/story-x/1042/bookRefund/re_1',
      state: 'pending',
      isDone: false,
      calls: 0,
      body: null,
    },
  ],
  asked: { s: 2 },
  refused: { signature_invalid: 1 },
};

/** What differs, as `path: expected → actual`. */
function differs(wish: Scenario['expect']): string[] {
  const scenario = scenarioSchema.parse({
    name: 'a story',
    order: '1042',
    sources: { s: { provider: 'sandbox' } },
    deliveries: [{ source: 's' }],
    expect: wish,
  });
  return judge(scenario, SEEN, 'story-x').map(
    ({ path, expected, actual }) => `${path.slice(1).join('.')}: ${expected} → ${actual}`,
  );
}

test('what is as expected differs in nothing, and what is not named is not looked at', () => {
  expect(differs({})).toEqual([]);
  const order = { status: 'refunded', bearer: 'pay_1', attention: ['gap'] };
  expect(differs({ order, orders: { '1042': order, '7': 'absent' } })).toEqual([]);
  expect(differs({ order: { attention: ['gap shop/order:1042'] } })).toEqual([]);
  expect(differs({ events: { e2: 'held', 's/e1': 'applied', 't/e1': 'waiting', e9: 'absent' } })).toEqual([]);
  expect(
    differs({ events: { e2: { outcome: 'held', reason: 'gap', version: '3', deliveries: 1 } } }),
  ).toEqual([]);
  expect(differs({ effects: { fulfil: 1, bookRefund: 0, other: 0 } })).toEqual([]);
  expect(differs({ asked: { s: { most: 2 } }, refused: { signature_invalid: 1, body_empty: 0 } })).toEqual(
    [],
  );
});

test('an effect is known by its key, calls and the bytes that its receiver got', () => {
  const keys = ['order/test/1042/fulfil/order'];
  const body = { order: { status: 'paid', revision: 1, environment: 'test' } };
  expect(differs({ effects: { fulfil: { times: 1, calls: 3, keys, body, state: 'done' } } })).toEqual([]);
  expect(differs({ effects: { fulfil: { keys: ['x'], calls: 1, state: 'failed' } } })).toEqual([
    'effects.fulfil.calls: 1 → 3',
    'effects.fulfil.keys: x → order/test/1042/fulfil/order',
    'effects.fulfil.state: failed → done',
  ]);
  expect(differs({ effects: { fulfil: { body: { order: { status: 'new' } } } } })[0]).toMatch(
    /^effects.fulfil.body/,
  );
});

test.each<[Scenario['expect'], string]>([
  [{ order: { status: 'paid' } }, 'order.status: paid → refunded'],
  [{ order: { attention: [] } }, 'order.attention: none → gap shop/order:1042 (version 3 is missing)'],
  [{ order: { bearer: null } }, 'order.bearer: none → pay_1'],
  [{ orders: { '7': { status: 'paid' } } }, 'orders.7: an order 7 → none was decided'],
  [{ orders: { '1042': 'absent' } }, 'orders.1042: no such order → refunded'],
  [{ events: { e2: 'applied' } }, 'events.e2: applied → held (gap)'],
  [{ events: { e9: 'applied' } }, 'events.e9: applied → not stored'],
  [{ events: { e1: 'applied' } }, 'events.e1: one event of this id → s/e1, t/e1'],
  [{ events: { e2: { version: '4' } } }, 'events.e2.version: 4 → 3'],
  [{ effects: { fulfil: 2 } }, 'effects.fulfil: done 2 times → done once'],
  [{ effects: { bookRefund: 1 } }, 'effects.bookRefund: done once → not done (1 pending)'],
  [{ asked: { s: 1 } }, 'asked.s: 1 → 2'],
  [{ asked: { s: { most: 1 } } }, 'asked.s: at most 1 → 2'],
  [{ refused: { signature_invalid: 2 } }, 'refused.signature_invalid: 2 → 1'],
  [{ order: { journal: [{ to: 'refunded' }, { to: 'paid' }] } }, 'order.journal.1: to paid → none'],
])('%j differs and says how', (wish, difference) => {
  expect(differs(wish)).toEqual([difference]);
});
