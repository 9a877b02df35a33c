import { describe, expect, it } from 'vitest';

import type { Source } from '../../../src/config/resolved.ts';
import type { Machine } from '../../../src/ordering/machine.ts';
import type { ParsedEvent } from '../../../src/providers/provider.ts';
import { sandbox } from '../../../src/providers/sandbox.ts';
import { normalise } from '../../../src/receiver/normalise.ts';
import { sourceSettings } from '../../../src/providers/conformance/world.ts';

const machine: Machine = {
  name: 'order',
  version: 1,
  initial: 'new',
  statuses: { new: { effects: [] }, paid: { effects: [] } },
  effects: {},
  on: { 'payment.captured': { new: 'paid' } },
  late: {},
  ahead: [],
  stepsBack: [],
  unlisted: 'ask',
  renamed: {},
};

const shop: Source = {
  name: 'shop',
  provider: sandbox,
  settings: sourceSettings({ name: 'shop' }),
  environment: 'live',
  machine: 'order',
  mode: null,
  account: null,
  secrets: [],
  types: {},
  unknownTypes: 'reject',
  maxBytes: 1_048_576,
  contract: 'monotonic',
  policy: {
    contract: 'monotonic',
    api: false,
    find: false,
    first: '1',
    gapTimeoutMs: 30_000,
    lagWindowMs: 60_000,
    askDeadlineMs: 86_400_000,
    effects: 'run',
  },
  api: null,
  lists: false,
  reconcile: null,
};

const captured: ParsedEvent = {
  eventId: 'evt_1',
  providerType: 'payment.captured',
  type: 'payment.captured',
  object: 'payment:pi_1',
  order: '1001',
  refs: ['payment:pi_1'],
  version: '7',
  facts: { amount: '500' },
};

function rowOf(change: Partial<ParsedEvent>, source: Partial<Source> = {}, body = '{"answer":42}') {
  return normalise(
    { ...captured, ...change },
    {
      source: { ...shop, ...source },
      machine,
      receivedAtMs: 1_700_000_000_000,
      headers: {},
      fingerprint: Buffer.alloc(32),
      secretId: '2026-11',
      body: Buffer.from(body),
    },
  );
}
const without = (field: keyof ParsedEvent): Partial<ParsedEvent> => ({ [field]: undefined });

describe('the type of an event', () => {
  it('is the adapter’s, unless the source says otherwise', () => {
    expect(rowOf({})).toMatchObject({ type: 'payment.captured', outcome: null });
    expect(rowOf({}, { types: { 'payment.captured': 'order.paid_elsewhere' } })).toMatchObject({
      type: 'order.paid_elsewhere',
    });
  });

  it('may be told by a function of the parsed body', () => {
    const types = { 'x.y': (body: unknown) => `payment.${(body as { kind: string }).kind}` };
    expect(rowOf({ providerType: 'x.y', type: undefined }, { types }, '{"kind":"captured"}')).toMatchObject({
      type: 'payment.captured',
      outcome: null,
    });
  });

  it('keeps the digits of long numbers for that function', () => {
    const types = { 'x.y': (body: unknown) => String((body as { id: unknown }).id) };
    expect(rowOf({ providerType: 'x.y' }, { types }, '{"id":8389766145050669871}')).toMatchObject({
      type: '8389766145050669871',
    });
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no kind');
      },
    ],
    ['returns no text', () => 42 as unknown as string],
    ['returns an empty text', () => ''],
    ['returns a promise', () => Promise.resolve('payment.captured') as unknown as string],
  ])('ends in a stored event, failed, when that function %s', (_, map) => {
    expect(rowOf({ providerType: 'x.y' }, { types: { 'x.y': map } })).toMatchObject({
      outcome: 'failed',
      type: null,
      reason: expect.stringContaining('types: ') as string,
    });
  });

  it('is not taken from what every object inherits', () => {
    expect(rowOf({ providerType: 'constructor', type: undefined })).toMatchObject({
      refused: 'type_unknown',
    });
    expect(rowOf({ providerType: 'x', type: 'toString' })).toMatchObject({ outcome: 'ignored' });
  });

  it('when unknown, is refused or archived, as the source says', () => {
    expect(rowOf({ type: undefined })).toMatchObject({ refused: 'type_unknown' });
    expect(rowOf({ type: undefined }, { unknownTypes: 'archive' })).toMatchObject({
      outcome: 'archived',
      reason: 'type_unknown',
    });
  });

  it('when known and unwanted, is archived', () => {
    expect(rowOf({ type: null })).toMatchObject({ outcome: 'archived', reason: 'type_unwanted' });
    expect(rowOf({ type: null, note: 'it holds no state' })).toMatchObject({
      outcome: 'archived',
      reason: 'it holds no state',
    });
  });

  it('without a row in the machine, is ignored', () => {
    expect(rowOf({ type: 'order.confirmed' })).toMatchObject({
      outcome: 'ignored',
      reason: 'not_in_machine',
    });
  });
});

describe('an event of a contiguous sequence', () => {
  const sequence = { contract: 'sequence' } as const;

  it('goes on to its order when its type is unwanted, unknown or not in the machine: its number counts', () => {
    expect(rowOf({ type: null }, sequence)).toMatchObject({ outcome: null, type: null });
    expect(rowOf({ type: undefined }, { ...sequence, unknownTypes: 'archive' })).toMatchObject({
      outcome: null,
      type: null,
    });
    expect(rowOf({ type: 'order.confirmed' }, sequence)).toMatchObject({
      outcome: null,
      type: 'order.confirmed',
    });
  });

  it('counts, too, when its order is not known yet', () => {
    expect(rowOf({ ...without('order'), type: null }, sequence)).toMatchObject({ outcome: null, type: null });
  });

  it('is settled at the door when it has no number', () => {
    expect(rowOf({ ...without('version'), type: null }, sequence)).toMatchObject({ outcome: 'archived' });
  });

  it('has a whole number for its version', () => {
    expect(rowOf({ version: '2026-01-01T00:00:00Z' }, sequence)).toMatchObject({ refused: 'field_invalid' });
  });
});

describe('an event of another mode or account', () => {
  it('is foreign, even when its type is unknown', () => {
    expect(rowOf({ mode: 'test', type: undefined }, { mode: 'live' })).toMatchObject({
      outcome: 'foreign',
      reason: 'other_mode',
    });
    expect(rowOf({ account: 'acct_2' }, { account: 'acct_1' })).toMatchObject({
      outcome: 'foreign',
      reason: 'other_account',
    });
  });

  it('is ours when the mode is the same, when the provider names none, or when the source asks for none', () => {
    expect(rowOf({ mode: 'live' }, { mode: 'live' })).toMatchObject({ outcome: null });
    expect(rowOf({}, { mode: 'live', account: 'acct_1' })).toMatchObject({ outcome: null });
    expect(rowOf({ mode: 'test', account: 'acct_2' })).toMatchObject({ outcome: null });
  });
});

describe('the fields of an event', () => {
  it.each(['  1001', '1001 ', 'AbC', '8389766145050669871', 'ä̈ö', '👍🏽', 'a\u0000b', '%2F'])(
    'keep the bytes of the identifier %j',
    (id) => {
      expect(
        rowOf({ eventId: id, order: id, object: id, payment: id, deliveryId: id, refs: [id] }),
      ).toMatchObject({ eventId: id, order: id, object: id, payment: id, deliveryId: id, refs: [id] });
    },
  );

  it.each(['eventId', 'providerType', 'object'] as const)('must have %s', (field) => {
    expect(rowOf(without(field))).toMatchObject({ refused: 'field_missing' });
    expect(rowOf({ [field]: '' })).toMatchObject({ refused: 'field_missing' });
  });

  it('may lack an order', () => {
    expect(rowOf(without('order'))).toMatchObject({ order: null, outcome: null });
  });

  it.each(['order', 'payment', 'deliveryId'] as const)('may not have an empty %s', (field) => {
    expect(rowOf({ [field]: '' })).toMatchObject({ refused: 'field_invalid' });
  });

  it('hold 255 bytes of an identifier and not one more, counted in UTF-8', () => {
    expect(rowOf({ order: 'x'.repeat(255) })).toMatchObject({ outcome: null });
    expect(rowOf({ order: 'x'.repeat(256) })).toMatchObject({ refused: 'field_invalid' });
    expect(rowOf({ order: '€'.repeat(85) })).toMatchObject({ outcome: null });
    expect(rowOf({ order: '€'.repeat(86) })).toMatchObject({ refused: 'field_invalid' });
  });

  it('count the source’s name in the name of the stream', () => {
    expect(rowOf({ object: 'x'.repeat(250) })).toMatchObject({ outcome: null });
    expect(rowOf({ object: 'x'.repeat(251) })).toMatchObject({ refused: 'field_invalid' });
  });

  it('refuse half of a surrogate pair, which has no bytes of its own', () => {
    expect(rowOf({ eventId: 'evt_\ud83d' })).toMatchObject({ refused: 'field_invalid' });
    expect(rowOf({ facts: { refund: 're_\ud83d' } })).toMatchObject({ refused: 'field_invalid' });
  });

  it('refuse what an adapter written without types may return', () => {
    expect(rowOf({ order: 1001 as unknown as string })).toMatchObject({ refused: 'field_invalid' });
    expect(rowOf({ refs: [7 as unknown as string] })).toMatchObject({ refused: 'field_invalid' });
    expect(rowOf({ facts: { amount: 5 as unknown as string } })).toMatchObject({ refused: 'field_invalid' });
    expect(rowOf(without('facts'))).toMatchObject({ refused: 'field_invalid' });
  });

  it('keep the whole version and the whole claimed time, in canonical form', () => {
    expect(
      rowOf({ version: '00018446744073709551617', claimedAt: '2026-09-04T14:57:52.123456789-04:00' }),
    ).toMatchObject({ version: '18446744073709551617', claimedAt: '2026-09-04T18:57:52.123456789Z' });
  });

  it('refuse a version that cannot be compared, and do without a time that cannot be read', () => {
    expect(rowOf({ version: '1.5' })).toMatchObject({ refused: 'field_invalid' });
    expect(rowOf({ claimedAt: 'yesterday', createdAt: '2026-09-04T18:57:53' })).toMatchObject({
      claimedAt: null,
      createdAt: null,
      outcome: null,
    });
  });

  it('name their own object among the objects, once', () => {
    expect(rowOf({ refs: ['charge:ch_1', 'payment:pi_1'] })).toMatchObject({
      refs: ['payment:pi_1', 'charge:ch_1'],
    });
  });

  it('are bounded in number: facts and objects named', () => {
    const many = (n: number) => Array.from({ length: n }, (_, i) => `n${String(i)}`);
    const facts = (n: number) => Object.fromEntries(many(n).map((name) => [name, 'x']));
    expect(rowOf({ facts: facts(16) })).toMatchObject({ outcome: null });
    expect(rowOf({ facts: facts(17) })).toMatchObject({ refused: 'field_invalid' });
    expect(rowOf({ refs: many(64) })).toMatchObject({ outcome: null });
    expect(rowOf({ refs: many(65) })).toMatchObject({ refused: 'field_invalid' });
    expect(rowOf({ facts: { note: 'x'.repeat(256) } })).toMatchObject({ refused: 'field_invalid' });
    expect(rowOf({ facts: { ['x'.repeat(256)]: 'x' } })).toMatchObject({ refused: 'field_invalid' });
  });
});
