import { describe, expect, test } from 'vitest';
import { ServiceError } from '@temporalio/client';
import { createDeliver, requestIdOf, splitIntoSignals } from '../../../src/dispatch/deliver.ts';
import type { DeliverDeps } from '../../../src/dispatch/deliver.ts';
import { eventOf } from './order-events.ts';

describe('request ids', () => {
  test('a long or unprintable event id becomes a digest of at most 255 bytes', () => {
    for (const event of ['x'.repeat(400), 'zahlung-ü', 'with blank', '\u0000']) {
      expect(requestIdOf([eventOf(1, { event })], 12)).toMatch(/^[0-9a-f]{64}#12$/);
    }
  });

  test('ids of two sources never meet', () => {
    const one = requestIdOf([eventOf(1, { source: 'a', event: 'ü/b' })]);
    const two = requestIdOf([eventOf(1, { source: 'a/ü', event: 'b' })]);
    expect(one).not.toBe(two);
  });
});

describe('what an answer says of the order', () => {
  const answered = (code: number) => {
    const cause = Object.assign(new Error('said by the server'), { code, details: 'said', metadata: {} });
    const withRequestId = () => Promise.reject(new ServiceError('failed', { cause }));
    const client = { withRequestId } as unknown as DeliverDeps['client'];
    const deliver = createDeliver({ client, taskQueue: 'queue', policiesOf: () => ({}) });
    return deliver({ machine: 'order', environment: 'live', id: '1042' }, [eventOf(1)], 'id');
  };

  test.each([
    ['no answer in time', 4],
    ['an overloaded server', 8],
    ['no server', 14],
  ])('%s says nothing of it: the claim is given back, and its back-off does not grow', async (_, code) => {
    expect(await answered(code)).toMatchObject({ kind: 'unreachable' });
  });

  test('a signal that its workflow cannot take is its own trouble', async () => {
    expect(await answered(3)).toMatchObject({ kind: 'refused' });
  });
});

describe('splitting into signals', () => {
  test('keeps order and loses nothing', () => {
    const events = Array.from({ length: 250 }, (_, n) => eventOf(n));
    const signals = splitIntoSignals(events);
    expect(signals.map((signal) => signal.length)).toEqual([100, 100, 50]);
    expect(signals.flat()).toEqual(events);
  });

  test('one event larger than a signal goes alone', () => {
    const large = eventOf(2, { facts: { text: 'x'.repeat(150_000) } });
    expect(splitIntoSignals([eventOf(1), large, eventOf(3)]).map((signal) => signal.length)).toEqual([
      1, 1, 1,
    ]);
  });

  test('nothing gives no signal', () => {
    expect(splitIntoSignals([])).toEqual([]);
  });
});
