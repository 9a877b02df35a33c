/**
 * The store was brought back from a backup, and this order knew more than it. The order goes back to what is stored,
 * and what it knew beyond that is no ground to decide on: of events that are not there any more nobody could say
 * later why it moved. It only says where to ask, and what a person has to look at where nobody can be asked.
 */
import { requestAsk } from './asking.ts';
import { decideBy, withSources } from './decide.ts';
import { openFind } from './find.ts';
import { isSameRef } from './hold.ts';
import type { Machine } from './machine.ts';
import type { Decision, OrderEvent, OrderState, StreamState } from './state.ts';

export interface Forgotten {
  /** What the order knew. */
  state: OrderState;
  /** Events it was told of and had not decided about, which are not stored any more. */
  events: readonly OrderEvent[];
}

export function afterRestore(
  machine: Machine,
  stored: OrderState,
  { state: known, events }: Forgotten,
  now: number,
): Decision {
  const before = withSources(stored, known.sources);
  return decideBy(machine, before, now, (turn) => {
    turn.note('alert', {}, `the store was restored: the order knew itself as ${known.status}`);
    let isAsked = false;
    const keys = [...Object.keys(known.streams), ...events.map(({ stream }) => stream)];
    for (const key of [...new Set(keys)].sort()) {
      const lost = lostOf(stored.streams[key], known.streams[key], events, key);
      if (lost === null) continue;
      if (turn.policy(key).api) {
        const stream = turn.stream(key);
        // An answer that is still under way answers what was asked before.
        stream.asks = Math.max(stream.asks, known.streams[key]?.asks ?? 0);
        requestAsk(turn, stream, 'restored');
        isAsked = true;
      } else callPerson(key, `the store was restored, and lost ${lost}`);
    }
    for (const [source, policy] of Object.entries(turn.state.sources))
      if (policy.find) {
        openFind(turn, source, 'restored');
        isAsked = true;
      }
    if (known.status !== stored.status && !isAsked)
      callPerson(null, `the store was restored: the order knew itself as ${known.status}`);

    function callPerson(stream: string | null, reason: string): void {
      turn.state.notices = [...turn.state.notices, { kind: 'review', stream, since: now, reason }];
    }
  });
}

/** In words what was known of a stream and is not stored; null: nothing. */
function lostOf(
  stored: StreamState | undefined,
  known: StreamState | undefined,
  events: readonly OrderEvent[],
  key: string,
): string | null {
  const untold = events.filter(({ stream }) => stream === key);
  if (untold.length > 0) return untold.map((event) => newsIn(event)).join(', ');
  if (known === undefined) return null;
  if (stored === undefined) return `all of ${known.word?.type ?? 'what was held'}`;
  const isSame =
    stored.version === known.version &&
    stored.fact === known.fact &&
    known.held.every((held) => stored.held.some((one) => isSameRef(one, held)));
  if (isSame) return null;
  return `what came up to ${known.word === null ? 'what is held' : newsIn(known.word)}`;
}

const newsIn = ({ type, version }: { type: string | null; version: string | null }): string =>
  [type ?? 'an unwanted event', ...(version === null ? [] : [`version ${version}`])].join(' ');
