import { describe, expect, test } from 'vitest';
import { judgeLink } from '../../../src/dispatch/judge-link.ts';

const order = { machine: 'order', environment: 'live', id: '1042' };
const event = { machine: 'order', environment: 'live', order: null, settledAs: null, reason: null };

describe('giving an event to an order', () => {
  test('an event without an order, whose objects belong to nobody or to that order', () => {
    expect(judgeLink({ event, links: [], order })).toEqual({ kind: 'link' });
    expect(judgeLink({ event, links: [{ ref: 'payment:1', order: '1042' }], order })).toEqual({
      kind: 'link',
    });
    expect(judgeLink({ event: { ...event, order: '1042' }, links: [], order })).toEqual({ kind: 'same' });
  });

  test.each([
    ['nothing stored', null, [], 'the store has no such event'],
    [
      'another machine',
      { ...event, machine: 'basket' },
      [],
      'its source feeds orders of basket/live, not of order/live',
    ],
    [
      'another environment',
      { ...event, environment: 'test' },
      [],
      'its source feeds orders of order/test, not of order/live',
    ],
    ['another order', { ...event, order: '7' }, [], 'it belongs to order 7 already, and stays there'],
    [
      'foreign',
      { ...event, settledAs: 'foreign', reason: 'mode test' },
      [],
      'it is settled as foreign (mode test): it belongs to no order',
    ],
    [
      'archived',
      { ...event, settledAs: 'archived' },
      [],
      'it is settled as archived: it belongs to no order',
    ],
    [
      'an object of another order',
      event,
      [{ ref: 'payment:1', order: '7' }],
      'its object payment:1 belongs to order 7, where it is linked by itself',
    ],
  ])('is refused: %s', (_, found, links, reason) => {
    expect(judgeLink({ event: found, links, order })).toEqual({ kind: 'refused', reason });
  });
});
