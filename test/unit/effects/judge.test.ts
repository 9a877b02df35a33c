import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { EffectHandler } from '../../../src/config/resolved.ts';
import type { AttemptEnd } from '../../../src/effects/answer.ts';
import { judgeClaim } from '../../../src/effects/judge-claim.ts';
import type { ClaimContext } from '../../../src/effects/judge-claim.ts';
import { judgeConfirmation, judgeEnd } from '../../../src/effects/judge-end.ts';
import type { Attempt, Next } from '../../../src/effects/judge-end.ts';
import type { EffectRow } from '../../../src/effects/row.ts';

const LEASE_MS = 20_000;
const handler = {
  kind: 'function',
  name: 'fulfil',
  timeoutMs: 10_000,
  keyTtlMs: 3_600_000,
  retry: { maxAttempts: 3, firstDelayMs: 1_000, maxDelayMs: 8_000 },
  confirm: null,
  run: () => Promise.resolve(),
} satisfies EffectHandler;
const row: EffectRow = {
  id: '1',
  key: 'k',
  machine: 'order',
  environment: 'live',
  order: '1',
  name: 'fulfil',
  state: 'pending',
  body: Buffer.from('{}'),
  url: null,
  attempt: 0,
  failures: 0,
  unknownSinceMs: null,
  claimedAtMs: null,
  leasedUntilMs: null,
  nextAttemptAtMs: null,
  error: null,
  isSkipped: false,
  nowMs: 1_000_000,
};
const context = (change: Partial<EffectRow>, rest: Partial<ClaimContext> = {}): ClaimContext => ({
  row: { ...row, ...change },
  status: 'paid',
  openQuestion: false,
  earlierOpen: false,
  handler,
  policy: { once: 'order', whenPassed: 'run' },
  ...rest,
});

describe('judgeClaim', () => {
  it.each(['done', 'failed', 'dropped', 'uncertain', 'recorded'] as const)('%s is an end', (state) => {
    expect(judgeClaim(context({ state }))).toEqual({ kind: 'ended' });
  });

  it('waits out a lease to its last millisecond, then takes the attempt for lost', () => {
    const running = { state: 'running', claimedAtMs: 990_000, leasedUntilMs: 1_000_100 } as const;
    expect(judgeClaim(context(running))).toMatchObject({ kind: 'wait', ms: 100 });
    expect(judgeClaim(context({ ...running, leasedUntilMs: 1_000_000 }))).toMatchObject({
      kind: 'claim',
      lost: true,
    });
  });

  it('never asks to be called again at once when it is to wait', () => {
    expect(judgeClaim(context({ nextAttemptAtMs: 1_000_001 }))).toMatchObject({ kind: 'wait', ms: 50 });
  });

  it.each([
    ['an unknown handler', { handler: undefined }],
    ['an unknown policy', { policy: undefined }],
    ['an earlier one of its name', { earlierOpen: true }],
  ])('waits for %s', (_, rest) => {
    expect(judgeClaim(context({}, rest))).toMatchObject({ kind: 'wait' });
  });

  it('waits for an open question only when it is sensitive', () => {
    const policy = { once: 'order', whenPassed: 'run', sensitive: true } as const;
    expect(judgeClaim(context({}, { openQuestion: true }))).toMatchObject({ kind: 'claim' });
    expect(judgeClaim(context({}, { openQuestion: true, policy }))).toMatchObject({ kind: 'wait' });
  });

  it('counts a lost attempt: after the last one it is uncertain', () => {
    const lost = { state: 'running', claimedAtMs: 990_000, leasedUntilMs: 999_000 } as const;
    expect(judgeClaim(context({ ...lost, failures: 2 }))).toMatchObject({
      kind: 'end',
      state: 'uncertain',
      lost: true,
    });
  });

  it('does not start what could not arrive while the key is honoured', () => {
    const edge = 1_000_000 + handler.timeoutMs - handler.keyTtlMs;
    expect(judgeClaim(context({ unknownSinceMs: edge }))).toMatchObject({ kind: 'claim', mode: 'call' });
    expect(judgeClaim(context({ unknownSinceMs: edge - 1 }))).toMatchObject({
      kind: 'end',
      state: 'uncertain',
    });
  });
});

/**
 * A worker and a receiver, driven by chance through everything that can happen to an attempt. The receiver does the
 * effect when it hears of it, unless it honours the key and has done it under that key; anyone between the two may
 * answer in its place, and answers may get lost.
 */
type Happening =
  | 'answered'
  | 'answer lost'
  | 'lost on the way'
  | 'refused on the way'
  | 'not sent'
  | 'killed before'
  | 'killed after';
const happenings: Happening[] = [
  'answered',
  'answer lost',
  'lost on the way',
  'refused on the way',
  'not sent',
  'killed before',
  'killed after',
];
const step: fc.Arbitrary<Step> = fc.record<Step>({
  happening: fc.constantFrom(...happenings),
  status: fc.constantFrom('paid', 'cancelled'),
  passesMs: fc.constantFrom(0, 1_000, 30_000, 600_000, 3_600_000),
  confirmation: fc.constantFrom('answered', 'lost'),
});

interface Step {
  happening: Happening;
  status: string;
  passesMs: number;
  confirmation: 'answered' | 'lost';
}

function play(
  steps: Step[],
  keyTtlMs: number,
  hasConfirm: boolean,
): { row: EffectRow; done: number; calls: number } {
  const played: EffectHandler = {
    ...handler,
    keyTtlMs,
    confirm: hasConfirm ? () => Promise.resolve(true) : null,
  };
  let current = { ...row };
  let doneAtMs: number | null = null;
  let done = 0;
  let calls = 0;
  const hear = () => {
    const isRemembered = doneAtMs !== null && current.nowMs < doneAtMs + keyTtlMs;
    if (isRemembered) return;
    done += 1;
    doneAtMs = current.nowMs;
  };
  const write = (next: Next) => {
    const at = next.state === 'pending' ? current.nowMs + next.delayMs : null;
    current = { ...current, ...next, leasedUntilMs: null, nextAttemptAtMs: at };
  };

  for (const { happening, status, passesMs, confirmation } of steps) {
    const validIn = ['paid'];
    const policy = { once: 'order', whenPassed: 'run', validIn } as const satisfies ClaimContext['policy'];
    const verdict = judgeClaim({
      row: current,
      status,
      openQuestion: false,
      earlierOpen: false,
      handler: played,
      policy,
    });
    if (verdict.kind === 'end') {
      current = { ...current, state: verdict.state };
    } else if (verdict.kind === 'claim') {
      const unknownSinceMs = verdict.lost
        ? (current.unknownSinceMs ?? current.claimedAtMs)
        : current.unknownSinceMs;
      const attempt: Attempt = {
        number: current.attempt + 1,
        mode: verdict.mode,
        handler: played,
        claimedAtMs: current.nowMs,
        failures: current.failures + (verdict.lost ? 1 : 0),
        unknownSinceMs,
      };
      current = {
        ...current,
        state: 'running',
        attempt: attempt.number,
        failures: attempt.failures,
        unknownSinceMs,
        claimedAtMs: current.nowMs,
        leasedUntilMs: current.nowMs + LEASE_MS,
      };
      if (verdict.mode === 'confirm') {
        const answer = done > 0 ? 'yes' : 'no';
        write(judgeConfirmation(attempt, confirmation === 'lost' ? { error: 'lost' } : answer, () => 0));
      } else {
        calls += 1;
        if (['answered', 'answer lost', 'killed after'].includes(happening)) hear();
        const end = endOf(happening);
        if (end !== null) write(judgeEnd(attempt, end, current.nowMs, () => 0));
      }
    }
    current = { ...current, nowMs: current.nowMs + passesMs };
  }
  return { row: current, done, calls };
}

function endOf(happening: Happening): AttemptEnd | null {
  switch (happening) {
    case 'answered':
      return { kind: 'done' };
    case 'answer lost':
    case 'lost on the way':
      return { kind: 'unknown', error: happening, retryAfterMs: null };
    case 'refused on the way':
    case 'not sent':
      return { kind: 'failed', error: happening, retryAfterMs: null };
    case 'killed before':
    case 'killed after':
      return null;
  }
}

describe('judgeClaim and judgeEnd together', () => {
  const ttl = fc.constantFrom(0, 60_000, 3_600_000);

  it('one effect or a visible doubt: never two, and never "not done" when it was', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), ttl, fc.boolean(), (steps, keyTtlMs, hasConfirm) => {
        const { row: last, done, calls } = play(steps, keyTtlMs, hasConfirm);
        expect(done).toBeLessThanOrEqual(1);
        if (last.state === 'done') expect(done).toBe(1);
        if (last.state === 'failed' || last.state === 'dropped') expect(done).toBe(0);
        expect(calls).toBeLessThanOrEqual(handler.retry.maxAttempts);
      }),
      { numRuns: 8_000 },
    );
  });

  it('comes to an end, whatever happens', () => {
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 40, maxLength: 40 }),
        ttl,
        fc.boolean(),
        (steps, keyTtlMs, hasConfirm) => {
          const slow = steps.map((one) => ({ ...one, passesMs: 60_000 }));
          const { row: last } = play(slow, keyTtlMs, hasConfirm);
          expect(['done', 'failed', 'dropped', 'uncertain']).toContain(last.state);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
