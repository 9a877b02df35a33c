/** What may come to an order, by chance: good and absurd news, answers, time, people, a changed configuration. */
import fc from 'fast-check';
import type { Contract } from '../../../src/ordering/state.ts';

export const STREAMS = ['shop/order:1', 'pay/payment:1', 'pay/payment:2', 'pay/dispute:1', 'shop/order:1 '];
export const VERSIONS = [
  ...['1', '2', '3', '4', '5', '7', '0', '-3'],
  ...[
    '9007199254740993',
    '9'.repeat(80),
    '2026-01-01T00:00:00Z',
    '2026-01-01T00:00:00.5Z',
    '9999-12-31T23:59:59Z',
  ],
];
export const FACTS: Record<string, string>[] = [
  {},
  { refund: 're_1' },
  { refund: 're_2', amount: '5' },
  { other: '\u0000"\\😀' },
];
export const CLAIMS = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z', '0000-01-01T00:00:00Z'];

const stream = fc.nat(STREAMS.length - 1);
/** Beyond the machine's own types: one it does not know, and none. */
const type = fc.nat(9);
const version = fc.option(fc.oneof({ weight: 3, arbitrary: fc.nat(5) }, fc.nat(VERSIONS.length - 1)), {
  freq: 4,
});
const payment = fc.option(fc.nat(2));
const facts = fc.nat(FACTS.length - 1);

const news = {
  stream,
  type,
  version,
  payment,
  facts,
  claimed: fc.option(fc.nat(CLAIMS.length - 1)),
};

export interface PolicyInput {
  contract: Contract;
  api: boolean;
  find: boolean;
  first: '1' | '0' | 'any';
  record: boolean;
  existing: boolean;
}
export const policies: fc.Arbitrary<PolicyInput> = fc.record({
  contract: fc.constantFrom<Contract>('sequence', 'monotonic', 'unordered'),
  api: fc.boolean(),
  find: fc.boolean(),
  first: fc.constantFrom('1' as const, '0' as const, 'any' as const),
  record: fc.boolean(),
  existing: fc.boolean(),
});

const does = <Name extends string>(name: Name) => fc.constant(name);

export const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: does('deliver'),
        events: fc.array(
          fc.record({
            ...news,
            /** Of an event that came before, by its number from the last: the same row once more. */
            again: fc.option(fc.nat(3), { freq: 6 }),
            conflict: fc.boolean(),
          }),
          { minLength: 1, maxLength: 4 },
        ),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: does('answer'),
        ...news,
        parts: fc.array(facts, { maxLength: 2 }),
        lists: fc.boolean(),
        /** To an ask that is over. */
        isLate: fc.boolean(),
      }),
    },
    fc.record({ do: fc.constantFrom('gone' as const, 'unavailable' as const, 'other' as const), stream }),
    fc.record({ do: does('found'), source: fc.nat(1), streams: fc.array(stream, { maxLength: 3 }) }),
    fc.record({ do: does('search failed'), source: fc.nat(1) }),
    {
      weight: 2,
      arbitrary: fc.record({
        do: does('wait'),
        ms: fc.constantFrom(1, 700, 31_000, 61_000, 3_600_000, 90_000_000),
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: does('wake') }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: does('resolve'),
        stream: fc.option(stream),
        held: fc.option(fc.nat(3)),
        as: fc.constantFrom('apply' as const, 'ignore' as const, 'rebase' as const),
        status: fc.nat(5),
      }),
    },
    fc.record({ do: does('reconcile'), stream: fc.option(stream) }),
    fc.record({ do: does('effect'), effect: fc.nat(3), isOver: fc.boolean() }),
    fc.record({ do: does('contested'), stream }),
    fc.record({ do: does('policy'), source: fc.nat(1), policy: policies }),
    fc.record({ do: does('adopt') }),
    fc.record({ do: does('two writers') }),
  ),
  { maxLength: 40, size: '+1' },
);
export type Step = (typeof steps extends fc.Arbitrary<infer Steps> ? Steps : never) extends (infer One)[]
  ? One
  : never;
