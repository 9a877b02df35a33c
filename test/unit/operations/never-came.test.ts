import { describe, expect, it } from 'vitest';
import { heldSpan } from '../../../src/operations/held-span.ts';
import { neverCame } from '../../../src/operations/never-came.ts';
import { freshStream } from '../../../src/ordering/fresh-state.ts';
import type { OrderState, StreamState } from '../../../src/ordering/state.ts';
import { at, listedEvent, recordedEntry } from './listed-event.ts';

const POLICY = { contract: 'sequence', api: true, find: false, gapTimeoutMs: 1, lagWindowMs: 1 } as const;

function stateWith(stream: Partial<StreamState>, first = '1'): OrderState {
  return {
    ...{ v: 1, key: { machine: 'order', environment: 'live', id: '1' }, machineVersion: 1, status: 'paid' },
    ...{ bearer: null, movedBy: null, deadline: null, troubles: {}, finds: {}, notices: [], attention: [] },
    streams: { 'shop/order:1': { ...freshStream('sequence', '0'), ...stream } },
    sources: { shop: { ...POLICY, first, askDeadlineMs: 1, effects: 'run' } },
  };
}
const event = (version: string, more: Parameters<typeof listedEvent>[0] = {}) =>
  listedEvent({ event: `e${version}`, version, ...more });

describe('versions that never came', () => {
  it('are the numbers between and before those that came, up to where the stream stands', () => {
    const events = [event('2'), event('5'), event('9')];
    const lost = neverCame(events, [], stateWith({ version: '7' }));
    expect(lost.map(({ range }) => range)).toEqual([
      ['1', '1'],
      ['3', '4'],
      ['6', '7'],
    ]);
  });

  it('are none where all came, in any order and twice', () => {
    expect(neverCame([event('2'), event('1'), event('2')], [], stateWith({ version: '2' }))).toEqual([]);
  });

  it('do not count what the stream still waits for, or what lies before a beginning nobody knows', () => {
    const events = [event('4'), event('6')];
    expect(neverCame(events, [], stateWith({ version: '6', missing: [['5', '5']] }, 'any'))).toEqual([]);
  });

  it('were covered by the first answer at or above them, of the journal or of an event it settled', () => {
    const answers = [
      recordedEntry({ version: '1', recordedAt: at(2) }),
      recordedEntry({ version: '3', recordedAt: at(9) }),
      recordedEntry({ version: '3', stream: 'shop/order:2', recordedAt: at(3) }),
    ];
    const state = stateWith({ version: '3' });
    expect(neverCame([event('1')], answers, state)).toMatchObject([{ range: ['2', '3'], answeredAt: at(9) }]);
    const settled = event('3', { settledAt: at(5), reason: 'confirmed' });
    expect(neverCame([event('1'), settled], answers, state)).toMatchObject([
      { range: ['2', '2'], answeredAt: at(5) },
    ]);
    expect(neverCame([event('1'), event('3')], [], state)).toMatchObject([{ answeredAt: null }]);
  });
});

describe('why an event was held', () => {
  const state = stateWith({ version: '3' });
  const held = event('3', { takenAt: at(2), settledAt: at(8) });
  const nothing = { events: [], journal: [], state, lost: [] };

  it('for nothing, when it had its outcome at once', () => {
    expect(heldSpan(event('3'), nothing)).toBeNull();
    expect(heldSpan(event('3', { takenAt: null, settledAt: null }), nothing)).toBeNull();
  });

  it('for earlier versions that were judged after it', () => {
    const events = [event('1'), event('2', { takenAt: at(8), settledAt: at(8) }), held];
    expect(heldSpan(held, { ...nothing, events })).toEqual({
      since: at(2),
      until: at(8),
      waitedFor: 'version 2',
    });
  });

  it('for a version that never came, until the provider had answered', () => {
    const told = { ...held, reason: 'confirmed' };
    const events = [event('1'), told];
    const lost = neverCame(events, [], state);
    expect(heldSpan(told, { ...nothing, events, lost })?.waitedFor).toBe('version 2, which never came');
  });

  it("for a person, or for the provider's answer", () => {
    const cause = { seq: '1', source: 'shop', event: 'e3' };
    const journal = [recordedEntry({ kind: 'review', cause })];
    expect(heldSpan(held, { ...nothing, journal })?.waitedFor).toBe('a person');
    const answered = { ...held, reason: 'an answer covers it' };
    expect(heldSpan(answered, nothing)?.waitedFor).toBe("the provider's answer");
  });
});
