/** Stories of one order over several streams, each with one ending, for properties of the core. */
import fc from 'fast-check';
import type { Happening, Model } from '../../../src/ordering/check/model.ts';
import type { Truth } from '../../../src/ordering/check/verdict.ts';
import type { Contract, Facts, SourcePolicy } from '../../../src/ordering/state.ts';
import { demoMachine } from '../dispatch/demo-machine.ts';

/** `<stream letter> <type>`: o order, p and q payments, d dispute, s shipment. A type in brackets may be left out. */
export interface Plot {
  lines: string[];
  /** Where the order ends; `?` after it: a person is asked in any case. */
  ending: string;
}

export const PLOTS: Plot[] = [
  { lines: ['o order.created', '[o note]', '[o order.confirmed]'], ending: 'awaiting_payment' },
  { lines: ['o order.created', 'p payment.failed', '[p payment.cancelled]'], ending: 'payment_failed' },
  { lines: ['o order.created', 'p payment.authorized', '[o note]'], ending: 'authorized' },
  { lines: ['o order.created', 'p payment.authorized', 'p payment.cancelled'], ending: 'payment_failed' },
  { lines: ['o order.created', '[p payment.failed]', 'o order.cancelled', '[o note]'], ending: 'cancelled' },
  {
    lines: ['o order.created', '[p payment.failed]', '[p payment.authorized]', 'p payment.captured'],
    ending: 'paid',
  },
  {
    lines: ['o order.created', 'p payment.failed', 'q payment.captured', '[p payment.cancelled]'],
    ending: 'paid',
  },
  {
    lines: [
      'o order.created',
      '[p payment.failed]',
      '[q payment.authorized]',
      'q payment.captured',
      's order.shipped',
    ],
    ending: 'shipped',
  },
  {
    lines: [
      'o order.created',
      '[p payment.authorized]',
      'p payment.captured',
      '[s order.shipped]',
      'p payment.partially_refunded',
      '[p payment.partially_refunded]',
    ],
    ending: 'partially_refunded',
  },
  {
    lines: [
      'o order.created',
      'p payment.captured',
      '[s order.shipped]',
      '[p payment.partially_refunded]',
      'p payment.refunded',
    ],
    ending: 'refunded',
  },
  {
    lines: ['o order.created', 'p payment.captured', 'p payment.refunded', 'p refund.failed'],
    ending: 'paid',
  },
  {
    lines: ['o order.created', 'p payment.captured', '[s order.shipped]', 'd dispute.opened'],
    ending: 'disputed',
  },
  {
    lines: [
      'o order.created',
      'p payment.captured',
      '[s order.shipped]',
      'd dispute.opened',
      'd dispute.lost',
    ],
    ending: 'charged_back',
  },
  { lines: ['o order.created', 'p payment.captured', 'd dispute.opened', 'd dispute.won'], ending: 'paid' },
  {
    lines: ['o order.created', 'p payment.captured', 'd dispute.opened', 'p payment.refunded'],
    ending: 'refunded',
  },
  { lines: ['o order.created', 'p payment.captured', 'q payment.captured'], ending: 'paid?' },
];

const STREAMS: Record<string, string> = {
  o: 'shop/order:1',
  p: 'pay/payment:1',
  q: 'pay/payment:2',
  d: 'pay/dispute:1',
  s: 'ship/parcel:1',
};
const PAYMENT_OF: Record<string, string | null> = { o: null, p: 'p1', q: 'p2', d: 'p1', s: null };

export type Claims = 'exact' | 'same' | 'none';
export interface Promised {
  contract: Contract;
  api: boolean;
  first: '1' | 'any';
}

const policyOf = ({ contract, api, first }: Promised): SourcePolicy => ({
  contract,
  api,
  find: api,
  first,
  gapTimeoutMs: 30_000,
  lagWindowMs: 60_000,
  askDeadlineMs: 1_800_000,
  effects: 'run',
});

export interface Telling {
  plot: Plot;
  /** Which of the lines in brackets are told. */
  kept: boolean[];
  promises: { shop: Promised; pay: Promised; ship: Promised };
  claims: Claims;
  versionedAnswers: boolean;
}

export function modelOf({
  plot,
  kept,
  promises,
  claims,
  versionedAnswers,
}: Telling): Model & { truth: Truth } {
  const lines = plot.lines.filter((line, at) => !line.startsWith('[') || kept[at] === true);
  const counts: Record<string, number> = {};
  let refunds = 0;
  const story = lines.map((line, at): Happening => {
    const [letter = '', type = ''] = line.replace(/[[\]]/g, '').split(' ');
    const stream = STREAMS[letter] as string;
    const count = (counts[stream] ?? 0) + 1;
    counts[stream] = count;
    const { contract } = promises[stream.split('/')[0] as 'shop'];
    if (type.endsWith('refunded')) refunds += 1;
    const facts: Facts = type.includes('refund') ? { refund: `re_${refunds}` } : {};
    return {
      stream,
      type: type === 'note' ? null : type,
      payment: PAYMENT_OF[letter] ?? null,
      version: contract === 'unordered' ? null : String(contract === 'sequence' ? count : count * 10),
      claimedAt: claims === 'none' ? null : `2026-01-01T00:00:${claims === 'same' ? '00' : `1${at}`}Z`,
      facts,
    };
  });
  const ending = plot.ending.replace('?', '');
  const words = story.filter((one) => one.type !== null);
  return {
    machine: demoMachine,
    sources: { shop: policyOf(promises.shop), pay: policyOf(promises.pay), ship: policyOf(promises.ship) },
    story,
    versionedAnswers,
    truth: {
      endings: plot.ending === ending ? [ending] : [],
      passed: Object.keys(demoMachine.statuses),
      last:
        words.findLast(
          (one) => (demoMachine.statuses[ending]?.effects ?? []).length > 0 && leads(one, ending),
        ) ?? null,
    },
  };
}

const leads = (one: Happening, status: string) =>
  Object.values(demoMachine.on[one.type ?? ''] ?? {}).some((cell) =>
    JSON.stringify(cell).includes(`"${status}"`),
  );

// ---- chance ----

const WITH_API: Promised[] = [
  { contract: 'sequence', api: true, first: '1' },
  { contract: 'sequence', api: true, first: 'any' },
  { contract: 'monotonic', api: true, first: 'any' },
  { contract: 'unordered', api: true, first: 'any' },
];
const WITHOUT_API: Promised[] = [
  { contract: 'sequence', api: false, first: '1' },
  { contract: 'monotonic', api: false, first: 'any' },
];

export const tellings = (withoutApi: boolean): fc.Arbitrary<Telling> => {
  const promise = fc.constantFrom(...WITH_API, ...(withoutApi ? WITHOUT_API : []));
  return fc.record({
    plot: fc.constantFrom(...PLOTS),
    kept: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
    promises: fc.record({ shop: promise, pay: promise, ship: promise }),
    claims: fc.constantFrom<Claims>('exact', 'same', 'none'),
    versionedAnswers: fc.constantFrom(true, true, false),
  });
};
