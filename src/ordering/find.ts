/** Searching a source for the order's objects: what a lost first event leaves no other trace of. */
import { requestAsk, retryDelayMs } from './asking.ts';
import { contestOf, isContested, reasonOf } from './contested.ts';
import { answered, awaitAnswer } from './deadline.ts';
import type { OpenAsk } from './state.ts';
import type { Turn } from './turn.ts';

/** How a search ended, as the core sees it. */
export type FindAnswer =
  | { kind: 'found'; source: string; streams: string[] }
  | { kind: 'unavailable'; source: string; retryAfterMs: number | null };

export function takeFind(turn: Turn, answer: FindAnswer, n: number): void {
  const find = turn.state.finds[answer.source];
  if (find === undefined || find.n !== n) return;
  if (answer.kind === 'unavailable') {
    const attempts = find.attempts + 1;
    const delayMs = Math.max(answer.retryAfterMs ?? 0, retryDelayMs(attempts));
    setFind(turn, answer.source, { ...find, attempts, retryAt: turn.now + delayMs });
    return;
  }
  setFind(turn, answer.source, null);
  for (const key of answer.streams) {
    if (isContested(turn.state, key)) {
      noteContested(turn, key);
      continue;
    }
    const isNew = turn.state.streams[key] === undefined;
    if (!isNew || !turn.policy(key).api) continue;
    requestAsk(turn, turn.stream(key), find.reason);
    awaitAnswer(turn, key);
  }
  answered(turn, findKey(answer.source), find.since);
  if (isAwaited(turn, answer.source)) openFind(turn, answer.source, 'deadline');
}

/** The provider lists another order's object among this one's: nobody is asked about it, a person has to see it. */
function noteContested(turn: Turn, key: string): void {
  const contest = contestOf(turn.state, { stream: key, payment: null });
  if (contest === null || turn.state.notices.some((notice) => notice.stream === key)) return;
  const reason = `${reasonOf(contest)}, and the provider lists it for this one`;
  turn.note('alert', { stream: key }, reason);
  turn.state.notices = [...turn.state.notices, { kind: 'conflict', stream: key, since: turn.now, reason }];
}

/** Sends the searches whose time has come again, and marks those that are over their deadline. */
export function wakeFinds(turn: Turn): void {
  for (const [source, find] of Object.entries(turn.state.finds)) {
    const policy = turn.state.sources[source];
    const isLate = find.late || (policy !== undefined && turn.now >= find.since + policy.askDeadlineMs);
    const isDue = find.retryAt !== null && find.retryAt <= turn.now;
    if (isDue || isLate !== find.late)
      setFind(turn, source, {
        ...find,
        late: isLate,
        ...(isDue ? { n: find.n + 1, retryAt: null } : {}),
      });
  }
}

export function openFind(turn: Turn, source: string, reason: string): void {
  if (turn.state.finds[source] !== undefined) return;
  setFind(turn, source, { n: 1, reason, since: turn.now, attempts: 0, retryAt: null, late: false });
}

/** How an open search stands in a deadline's list of what is still to be answered. */
export const findKey = (source: string) => `find ${source}`;

/** A fired deadline still waits for this source: the search that ended had begun before it was due. */
function isAwaited(turn: Turn, source: string): boolean {
  const { deadline } = turn.state;
  return deadline?.phase === 'asking' && deadline.pending.includes(findKey(source));
}

function setFind(turn: Turn, source: string, find: OpenAsk | null): void {
  const finds = { ...turn.state.finds };
  if (find === null) delete finds[source];
  else finds[source] = find;
  turn.state.finds = finds;
}
