import { describe, expect, it } from 'vitest';
import { judge, type Evidence } from '../../../../src/dev/chaos/judge.ts';
import type { Story } from '../../../../src/dev/sandbox/story.ts';
import type { LedgerEntry } from '../../../../src/dev/traffic/ledger.ts';

const story: Story = {
  order: 'A-1',
  numericOrder: false,
  title: 'paid',
  happenings: [],
  truth: { status: 'paid', effects: [{ name: 'fulfil', of: null, required: true }] },
};
const paid = { status: 'paid', revision: 3, attention: '' };
const fulfilled = { key: 'k1', name: 'fulfil', order: 'A-1', of: null };

function entry(change: { kind?: 'first' | 'forged'; answers?: LedgerEntry['answers'] } = {}): LedgerEntry {
  const { kind = 'first', answers = [{ status: 202, verdict: 'accepted' }] } = change;
  return {
    outgoing: {
      planned: { atMs: 0, of: 0, kind, forgery: kind === 'forged' ? 'wrong_secret' : null, copy: 0 },
      event: {
        id: 'evt_1',
        order: 'A-1',
        object: 'order:A-1',
        type: 'order.created',
        version: 1,
        body: '{}',
      },
      ...{ source: 'shop', id: 'msg_1', body: '{}', secret: '', ageSeconds: 0, spoil: null },
    },
    ...{ startedAtMs: 0, answers, endedAtMs: 1 },
  };
}

const fate = {
  source: 'shop',
  eventId: 'evt_1',
  order: 'A-1',
  outcome: 'applied',
  reason: null,
  isSettled: true,
};
const good: Evidence = {
  stories: [story],
  ledger: [entry()],
  fates: [fate],
  bodies: [{ source: 'shop', eventId: 'evt_1', body: Buffer.from('{}') }],
  statuses: new Map([['A-1', paid]]),
  statusesAfter: new Map([['A-1', paid]]),
  effects: { done: [fulfilled], doneBefore: 1, offences: [] },
  storeProblems: [],
};
const counts = (change: Partial<Evidence>) => {
  const { lost, wrong, doubled, missing, inDoubt } = judge({ ...good, ...change });
  return [lost.length, wrong.length, doubled.length, missing.length, inDoubt.length];
};

it('finds nothing where nothing is wrong', () => {
  expect(judge(good)).toMatchObject({ accepted: 1, orders: 1, effects: 1 });
  expect(counts({})).toEqual([0, 0, 0, 0, 0]);
});

describe('lost', () => {
  it('is what was answered 2xx once, whatever came after, and is not stored', () => {
    expect(counts({ fates: [] })).toEqual([1, 0, 0, 0, 0]);
    const answers = [{ status: 202, verdict: 'accepted' }, { error: 'hung up' }];
    expect(counts({ fates: [], ledger: [entry({ answers })] })).toEqual([1, 0, 0, 0, 0]);
    expect(counts({ fates: [], ledger: [entry({ answers: [{ status: 503, verdict: null }] })] })[0]).toBe(0);
  });
  it('is what is stored with other bytes', () => {
    expect(counts({ bodies: [{ source: 'shop', eventId: 'evt_1', body: Buffer.from('{ }') }] })[0]).toBe(1);
  });
  it('is what nobody took, and not what waits with a reason', () => {
    expect(counts({ fates: [{ ...fate, outcome: null, isSettled: false }] })[0]).toBe(1);
    expect(counts({ fates: [{ ...fate, outcome: 'held', reason: 'gap', isSettled: false }] })[0]).toBe(0);
  });
});

describe('wrong', () => {
  it('is another status than the true one, unless a person is told', () => {
    const statuses = (attention: string) => {
      const other = new Map([['A-1', { status: 'new', revision: 3, attention }]]);
      return { statuses: other, statusesAfter: other };
    };
    expect(counts(statuses(''))).toEqual([0, 1, 0, 0, 0]);
    expect(counts(statuses('review'))).toEqual([0, 0, 0, 0, 1]);
  });
  it('is an order that is not there, a forgery that was believed, a journal that says otherwise', () => {
    expect(counts({ statuses: new Map(), statusesAfter: new Map() })[1]).toBe(1);
    expect(counts({ ledger: [entry({ kind: 'forged' })] })[1]).toBe(1);
    expect(counts({ storeProblems: ['order A-1: …'] })[1]).toBe(1);
  });
  it('is a revision that moved when all was sent again', () => {
    expect(counts({ statusesAfter: new Map([['A-1', { ...paid, revision: 4 }]]) })[1]).toBe(1);
    expect(
      counts({
        statusesAfter: new Map([
          ['A-1', paid],
          ['A-2', paid],
        ]),
      })[1],
    ).toBe(1);
  });
});

describe('effects', () => {
  it('are doubled under two keys, under one key with two bodies, and when all was sent again', () => {
    const two = [fulfilled, { ...fulfilled, key: 'k2' }];
    expect(counts({ effects: { done: two, doneBefore: 2, offences: [] } })).toEqual([0, 0, 1, 0, 0]);
    expect(counts({ effects: { done: two, doneBefore: 1, offences: [] } })).toEqual([0, 0, 1, 0, 0]);
    expect(counts({ effects: { done: [fulfilled], doneBefore: 1, offences: ['another body'] } })[2]).toBe(1);
  });
  it('are missing, unless the order is in doubt', () => {
    const none = { done: [], doneBefore: 0, offences: [] };
    expect(counts({ effects: none })).toEqual([0, 0, 0, 1, 0]);
    const doubtful = new Map([['A-1', { ...paid, attention: 'effect' }]]);
    expect(counts({ effects: none, statuses: doubtful, statusesAfter: doubtful })).toEqual([0, 0, 0, 0, 1]);
  });
  it('without a reason are wrong', () => {
    const done = [fulfilled, { ...fulfilled, key: 'k2', name: 'releaseStock' }];
    expect(counts({ effects: { done, doneBefore: 2, offences: [] } })).toEqual([0, 1, 0, 0, 0]);
  });
});
