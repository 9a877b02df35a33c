import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgePerson } from '../../../src/effects/judge-person.ts';
import type { PersonContext, PersonVerdict } from '../../../src/effects/judge-person.ts';
import type { EffectState } from '../../../src/effects/row.ts';
import type { EffectAction } from '../../../src/ordering/state.ts';

const NOW_MS = 1_000_000;
const policy = { once: 'order', whenPassed: 'run' } as const;
const row = (change: Partial<PersonContext['row']> & { state: EffectState }): PersonContext['row'] => ({
  isSkipped: false,
  unknownSinceMs: null,
  leasedUntilMs: null,
  nextAttemptAtMs: null,
  nowMs: NOW_MS,
  ...change,
});
const judge = (action: EffectAction, of: PersonContext['row'], rest: Partial<PersonContext> = {}) =>
  judgePerson({ row: of, action, seen: null, status: 'paid', policy, ...rest });
const inShort = (verdict: PersonVerdict) => (verdict.kind === 'change' ? verdict.state : verdict.kind);

const ROWS = {
  'pending, never sent': row({ state: 'pending' }),
  'pending, waits for its next attempt': row({ state: 'pending', nextAttemptAtMs: NOW_MS + 1 }),
  'pending, may have been done': row({ state: 'pending', unknownSinceMs: 1 }),
  'running, leased': row({ state: 'running', leasedUntilMs: NOW_MS + 1 }),
  'running, lost': row({ state: 'running', leasedUntilMs: NOW_MS }),
  done: row({ state: 'done' }),
  failed: row({ state: 'failed' }),
  uncertain: row({ state: 'uncertain', unknownSinceMs: 1 }),
  dropped: row({ state: 'dropped' }),
  'dropped by a person': row({ state: 'dropped', isSkipped: true }),
  recorded: row({ state: 'recorded' }),
};

describe('a person’s word on an effect', () => {
  it.each<[keyof typeof ROWS, retry: string, confirm: string, skip: string]>([
    ['pending, never sent', 'same', 'refused', 'dropped'],
    ['pending, waits for its next attempt', 'pending', 'refused', 'dropped'],
    ['pending, may have been done', 'same', 'done', 'refused'],
    ['running, leased', 'refused', 'refused', 'refused'],
    ['running, lost', 'same', 'done', 'refused'],
    ['done', 'refused', 'same', 'refused'],
    ['failed', 'pending', 'done', 'dropped'],
    ['uncertain', 'pending', 'done', 'dropped'],
    ['dropped', 'pending', 'refused', 'dropped'],
    ['dropped by a person', 'pending', 'refused', 'same'],
    ['recorded', 'pending', 'refused', 'refused'],
  ])('%s: retry %s, confirm %s, skip %s', (name, ...expected) => {
    const actions = ['retry', 'confirm', 'skip'] as const;
    expect(actions.map((action) => inShort(judge(action, ROWS[name])))).toEqual(expected);
  });

  it('a refusal says what to do instead', () => {
    const leased = judge('retry', row({ state: 'running', leasedUntilMs: Date.UTC(2026, 10, 30, 10) }));
    expect(leased).toEqual({
      kind: 'refused',
      reason:
        'an attempt is under way, until 2026-11-30T10:00:00.000Z at the latest; look again when it has ended',
    });
    for (const [name, of] of Object.entries(ROWS))
      for (const action of ['retry', 'confirm', 'skip'] as const) {
        const verdict = judge(action, of);
        if (verdict.kind === 'refused') expect({ name, action, ...verdict }).toMatchObject({ reason: /./ });
      }
  });

  it('does not retry what the machine would drop at once, nor what it does not know', () => {
    const valid = { policy: { ...policy, validIn: ['paid'] }, status: 'shipped' };
    const reason = 'the order is shipped, and the effect is valid in paid only: it would be dropped';
    expect(judge('retry', ROWS.failed, valid)).toEqual({ kind: 'refused', reason });
    expect(inShort(judge('retry', ROWS.failed, { ...valid, status: 'paid' }))).toBe('pending');
    expect(judge('retry', ROWS.uncertain, { policy: undefined })).toMatchObject({ kind: 'refused' });
    expect(inShort(judge('confirm', ROWS.uncertain, valid))).toBe('done');
    expect(inShort(judge('skip', ROWS.uncertain, { policy: undefined }))).toBe('dropped');
  });

  it('changes nothing when the state is another one than the person saw, unless it is so already', () => {
    expect(judge('retry', ROWS.uncertain, { seen: 'failed' })).toEqual({
      kind: 'refused',
      reason: 'it is uncertain by now, no longer failed; look again',
    });
    expect(judge('confirm', ROWS.done, { seen: 'uncertain' })).toEqual({ kind: 'same' });
    expect(judge('retry', ROWS['pending, never sent'], { seen: 'failed' })).toEqual({ kind: 'same' });
  });
});

const anyRow = fc.record({
  state: fc.constantFrom<EffectState>(
    'pending',
    'running',
    'done',
    'failed',
    'dropped',
    'uncertain',
    'recorded',
  ),
  isSkipped: fc.boolean(),
  unknownSinceMs: fc.option(fc.integer({ min: 0, max: NOW_MS }), { nil: null }),
  leasedUntilMs: fc.option(fc.integer({ min: 0, max: 2 * NOW_MS }), { nil: null }),
  nextAttemptAtMs: fc.option(fc.integer({ min: 0, max: 2 * NOW_MS }), { nil: null }),
  nowMs: fc.constant(NOW_MS),
});
const anyAction = fc.constantFrom<EffectAction>('retry', 'confirm', 'skip');

describe('whatever a person says', () => {
  const after = (of: PersonContext['row'], verdict: PersonVerdict): PersonContext['row'] => {
    if (verdict.kind !== 'change') return of;
    return {
      ...of,
      state: verdict.state,
      isSkipped: verdict.state === 'dropped',
      unknownSinceMs: verdict.isNotDone ? null : of.unknownSinceMs,
      leasedUntilMs: null,
      nextAttemptAtMs: null,
    };
  };

  it('what is done stays done, and an attempt under way is left alone', () => {
    fc.assert(
      fc.property(anyRow, anyAction, (of, action) => {
        const verdict = judge(action, of);
        const isLeased = of.state === 'running' && (of.leasedUntilMs ?? 0) > NOW_MS;
        if (of.state === 'done' || isLeased) expect(verdict.kind).not.toBe('change');
      }),
    );
  });

  it('said again it changes nothing more', () => {
    fc.assert(
      fc.property(anyRow, anyAction, (of, action) => {
        const first = judge(action, of);
        fc.pre(first.kind === 'change');
        expect(judge(action, after(of, first))).toEqual({ kind: 'same' });
      }),
    );
  });

  it('what may have been done is dropped or run anew only from uncertain, by a word that it was not done', () => {
    fc.assert(
      fc.property(anyRow, anyAction, (of, action) => {
        const verdict = judge(action, of);
        fc.pre(verdict.kind === 'change' && verdict.isNotDone);
        const mayBeDone = of.state === 'running' || (of.state === 'pending' && of.unknownSinceMs !== null);
        expect(mayBeDone).toBe(false);
      }),
    );
  });
});
