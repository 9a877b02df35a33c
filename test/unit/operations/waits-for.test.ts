import { describe, expect, it } from 'vitest';
import { waitsFor } from '../../../src/operations/waits-for.ts';
import { freshStream } from '../../../src/ordering/fresh-state.ts';
import type { HeldEvent, StreamState } from '../../../src/ordering/state.ts';

function held(version: string | null, fields: Partial<HeldEvent> = {}): HeldEvent {
  return {
    seq: '1',
    source: 'shop',
    event: 'e1',
    stream: 'shop/order:1',
    type: 'order.shipped',
    payment: null,
    version,
    claimedAt: null,
    fact: 'f',
    facts: {},
    since: 0,
    reason: 'gap',
    behind: false,
    ask: null,
    review: null,
    ...fields,
  };
}
const stream = (fields: Partial<StreamState> = {}): StreamState => ({
  ...freshStream('sequence', '1'),
  ...fields,
});
const ask = { n: 1, reason: 'gap', since: 0, attempts: 2, retryAt: null, late: false };

const SNAPSHOT = {
  ...{ stream: 'shop/order:1', type: 'order.shipped', version: '1', payment: null, fact: 'f', facts: {} },
  ...{ asOf: 0, parts: [] },
};

describe('what a held event waits for', () => {
  it.each<[string, StreamState, HeldEvent, string]>([
    ['the one version before it', stream(), held('3'), 'version 2'],
    ['the versions before it', stream(), held('9'), 'versions 2 to 8'],
    [
      'the hole before others that are held',
      stream({ held: [held('2'), held('3'), held('5')] }),
      held('7'),
      'version 4',
    ],
    [
      'numbers of any size',
      stream({ version: '99999999999999999998' }),
      held('100000000000000000000'),
      'version 99999999999999999999',
    ],
    ['its turn, when nothing is missing', stream({ held: [held('2'), held('3')] }), held('3'), 'its turn'],
    ['the beginning of its stream', stream({ version: null }), held('7'), 'the first version of its stream'],
    [
      'an answer as well, once it was asked',
      stream({ ask }),
      held('3'),
      "version 2; the provider's answer, asked since 1970-01-01T00:00:00.000Z because a version is missing; 2 tries so far",
    ],
    [
      'a move of the order, once the provider has said what the table does not explain',
      stream({ answer: { snapshot: SNAPSHOT, since: 0, review: null } }),
      held('1', { reason: 'asking', ask: 1 }),
      'a move of the order, as the table has no way to what the provider says',
    ],
    [
      'the next try',
      stream({ ask: { ...ask, retryAt: 1_000 } }),
      held(null, { reason: 'asking' }),
      "the provider's answer, asked since 1970-01-01T00:00:00.000Z because a version is missing; 2 tries so far, next at 1970-01-01T00:00:01.000Z",
    ],
    [
      'a person, and why',
      stream(),
      held('2', { reason: 'review', review: 'a second payment' }),
      'a person: a second payment',
    ],
    [
      'one that waits for a person',
      stream(),
      held('3', { reason: 'review', behind: true }),
      'an earlier event of its stream, which waits for a person',
    ],
    ['a move of the order', stream(), held('2', { reason: 'unlisted' }), 'a move of the order'],
    ['whoever breaks a tie', stream(), held('1', { reason: 'tie' }), "the provider's answer"],
    [
      'an earlier instant',
      stream({ contract: 'monotonic', version: '2026-01-01T00:00:00Z' }),
      held('2026-01-02T00:00:00Z'),
      'an earlier version',
    ],
  ])('%s', (_, state, event, words) => {
    expect(waitsFor(state, event)).toBe(words);
  });
});
