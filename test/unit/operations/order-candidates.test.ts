import fc from 'fast-check';
import { expect, test } from 'vitest';
import { orderCandidates } from '../../../src/operations/order-candidates.ts';

const pathsOf = (...objects: unknown[]) => orderCandidates(objects).map(({ path }) => path);

test.each([
  ['metadata.order_id', { id: 'pi_1', amount: 100, metadata: { order_id: '1042', shop: 'eu' } }],
  ['metadata.orderId', { metadata: { orderId: 1042 } }],
  ['client_reference_id', { object: 'checkout.session', client_reference_id: 'B-7', description: 'a hat' }],
  ['data.order.number', { data: { order: { number: 'A1' }, customer: { id: 'c' } } }],
  ['OrderNo', { OrderNo: 'A1' }],
  ['metadata.whatever', { id: 'pi_1', metadata: { whatever: '1042' } }],
  ['description', { id: 'pi_1', description: 'order 1042' }],
])('%s is found first', (path, object) => {
  expect(pathsOf(object)[0]).toBe(path);
});

test('what says nothing about an order is left out, and so are lists and empty values', () => {
  expect(
    pathsOf({
      id: 'pi_1',
      border: 'x',
      payment_intent: 'pi_1',
      orders: ['1042'],
      order_id: null,
      metadata: { order_id: ' ' },
      'order.id': 'not a path',
    }),
  ).toEqual([]);
});

test('a word under metadata that is the same in many bodies tells no order', () => {
  const bodies = Array.from({ length: 6 }, (_, i) => ({ metadata: { shop: 'eu', basket: `b${i}` } }));
  expect(pathsOf(...bodies)).toEqual(['metadata.basket']);
});

test('the likelier name comes first, then the one that stands in more bodies; each with its count', () => {
  expect(
    orderCandidates([
      { reference: 'a', metadata: { order_id: '1' } },
      { reference: 'b', metadata: { other: 'x' } },
    ]),
  ).toEqual([
    { path: 'metadata.order_id', events: 1 },
    { path: 'reference', events: 2 },
    { path: 'metadata.other', events: 1 },
  ]);
});

test('no value of a body is ever told', () => {
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(fc.constantFrom('order', 'metadata', 'ref'), fc.string())),
      (bodies) => {
        const marked = bodies.map((body) =>
          Object.fromEntries(Object.entries(body).map(([name, value]) => [name, `secret-${value}`])),
        );
        expect(JSON.stringify(orderCandidates(marked))).not.toContain('secret');
      },
    ),
  );
});
