/**
 * What a person's word may make of an effect's row (R54). Pure: everything it goes by was read in the transaction
 * that carries it out.
 *
 * 1. Nothing is made of an attempt that is under way: it may be writing its end at this moment.
 * 2. What certainly was done is never run again, and what may have been done only on a person's word that it was
 *    not. Key, body and the number of the last attempt stay as they are.
 * 3. Only what certainly was not done can be skipped, as only that can be dropped; an `uncertain` effect counts as
 *    not done when a person says so by skipping or retrying it. A skip holds when the order asks for it again.
 * 4. What is so already is no refusal, so that a request which is repeated does no harm.
 */
import type { EffectPolicy } from '../ordering/machine.ts';
import type { EffectAction } from '../ordering/state.ts';
import type { EffectRow, EffectState } from './row.ts';

export interface PersonContext {
  row: Pick<
    EffectRow,
    'state' | 'isSkipped' | 'unknownSinceMs' | 'leasedUntilMs' | 'nextAttemptAtMs' | 'nowMs'
  >;
  action: EffectAction;
  /** The state that the person saw; null: whatever it is. */
  seen: string | null;
  /** The order's present status. */
  status: string;
  /** Undefined when the order's machine has no such effect. */
  policy: EffectPolicy | undefined;
}

export type PersonVerdict =
  | { kind: 'refused'; reason: string }
  /** Nothing is to be written. */
  | { kind: 'same' }
  /** `isNotDone`: whatever was unknown about earlier attempts is settled, they did nothing. */
  | { kind: 'change'; state: 'pending' | 'done' | 'dropped'; isNotDone: boolean };

export function judgePerson(context: PersonContext): PersonVerdict {
  const { row, action, seen } = context;
  if (row.state === 'running' && row.leasedUntilMs !== null && row.leasedUntilMs > row.nowMs) {
    const until = new Date(row.leasedUntilMs).toISOString();
    return refused(`an attempt is under way, until ${until} at the latest; look again when it has ended`);
  }
  const verdict = judgeAction[action](context);
  const isOther = seen !== null && seen !== row.state;
  return isOther && verdict.kind === 'change'
    ? refused(`it is ${row.state} by now, no longer ${seen}; look again`)
    : verdict;
}

const judgeAction: Record<EffectAction, (context: PersonContext) => PersonVerdict> = {
  retry: judgeRetry,
  confirm: judgeConfirm,
  skip: judgeSkip,
};

function judgeRetry({ row, status, policy }: PersonContext): PersonVerdict {
  switch (row.state) {
    case 'done':
      return refused('it is done, and is never run again');
    case 'running':
      // Its attempt was lost: the next claim follows by itself.
      return { kind: 'same' };
    case 'pending': {
      const isWaiting = row.nextAttemptAtMs !== null && row.nextAttemptAtMs > row.nowMs;
      return isWaiting ? { kind: 'change', state: 'pending', isNotDone: false } : { kind: 'same' };
    }
    case 'failed':
    case 'uncertain':
    case 'dropped':
    case 'recorded':
      if (policy === undefined) return refused("the order's machine has no such effect any more");
      if (policy.validIn?.includes(status) === false) {
        const valid = policy.validIn.join(', ');
        return refused(
          `the order is ${status}, and the effect is valid in ${valid} only: it would be dropped`,
        );
      }
      return { kind: 'change', state: 'pending', isNotDone: true };
  }
}

function judgeConfirm({ row }: PersonContext): PersonVerdict {
  switch (row.state) {
    case 'done':
      return { kind: 'same' };
    case 'pending':
      if (row.unknownSinceMs !== null) return { kind: 'change', state: 'done', isNotDone: false };
      return refused('nothing of it was done as far as is known: skip it, if it is not to run');
    case 'running':
    case 'failed':
    case 'uncertain':
      return { kind: 'change', state: 'done', isNotDone: false };
    case 'dropped':
      return refused('it was dropped and not done; retry it, if it is to run');
    case 'recorded':
      return refused('it was only recorded and never called; retry it, if it is to run');
  }
}

function judgeSkip({ row }: PersonContext): PersonVerdict {
  switch (row.state) {
    case 'dropped':
      return row.isSkipped ? { kind: 'same' } : { kind: 'change', state: 'dropped', isNotDone: true };
    case 'done':
      return refused('it is done');
    case 'recorded':
      return refused('it was only recorded: it does not run');
    case 'failed':
    case 'uncertain':
      return { kind: 'change', state: 'dropped', isNotDone: true };
    case 'pending':
      if (row.unknownSinceMs === null) return { kind: 'change', state: 'dropped', isNotDone: true };
      return refused(UNKNOWN);
    case 'running':
      return refused(UNKNOWN);
  }
}

const UNKNOWN =
  'an attempt of it may have been done: confirm it, if it was; it can be skipped when it has become uncertain';

const refused = (reason: string): PersonVerdict => ({ kind: 'refused', reason });

/** The states that each action is meant for. */
export const STATES_OF: Record<EffectAction, readonly EffectState[]> = {
  retry: ['failed', 'uncertain', 'pending', 'dropped', 'recorded'],
  confirm: ['uncertain', 'failed', 'pending', 'running'],
  skip: ['failed', 'uncertain', 'pending'],
};
