/** What a person has to look at, derived from the state at each decision: it goes by itself when its cause goes. */
import { contestOf } from './contested.ts';
import type { About } from './contested.ts';
import { awaited, gapSince } from './hold.ts';
import type { Attention, HeldAnswer, OrderState, SourcePolicy } from './state.ts';
import { UNKNOWN_SOURCE, sourceOf } from './fresh-state.ts';

export function attentionOf(state: OrderState): Attention[] {
  const all: Attention[] = [...state.notices];
  for (const key of Object.keys(state.streams).sort()) {
    const stream = state.streams[key];
    if (stream === undefined) continue;
    const policy: SourcePolicy = state.sources[sourceOf(key)] ?? UNKNOWN_SOURCE;
    const gap = stream.gapExpired && !policy.api ? gapSince(stream) : null;
    if (gap !== null)
      all.push({
        kind: 'gap',
        stream: key,
        since: gap,
        reason: `version ${awaited(stream) ?? '?'} never came`,
      });
    for (const held of stream.held)
      if (held.review !== null)
        all.push({ kind: kindOf(state, held), stream: key, since: held.since, reason: held.review });
    const { answer } = stream;
    const reason = answer?.late === true ? unexplained(state.status, answer) : answer?.review;
    if (answer !== null && reason != null)
      all.push({ kind: kindOf(state, answer.snapshot), stream: key, since: answer.since, reason });
    if (stream.ask?.late === true)
      all.push({
        kind: 'reconcile',
        stream: key,
        since: stream.ask.since,
        reason: `no usable answer after ${tries(stream.ask.attempts)}`,
      });
  }
  for (const source of Object.keys(state.finds).sort()) {
    const find = state.finds[source];
    if (find?.late === true)
      all.push({
        kind: 'reconcile',
        stream: null,
        since: find.since,
        reason: `${source} could not be searched for the order's objects: ${tries(find.attempts)}`,
      });
  }
  if (state.deadline?.phase === 'review')
    all.push({
      kind: 'review',
      stream: null,
      since: state.deadline.at,
      reason: `${state.deadline.type} is due, and nobody can be asked`,
    });
  for (const key of Object.keys(state.troubles).sort()) {
    const trouble = state.troubles[key];
    if (trouble !== undefined)
      all.push({
        kind: 'effect',
        stream: null,
        since: trouble.since,
        reason: `${trouble.name}: ${trouble.reason}`,
      });
  }
  return all;
}

/** What belongs to another order is a conflict, whatever else a person would have to say about it. */
const kindOf = (state: OrderState, about: About) =>
  contestOf(state, about) === null ? ('review' as const) : ('conflict' as const);

/** Why an answer that waited for the order to move is a person's now. */
export function unexplained(status: string, { snapshot }: HeldAnswer): string {
  return `the table has no way from ${status} to what the provider says (${snapshot.type})`;
}

const tries = (count: number) => `${count} ${count === 1 ? 'try' : 'tries'}`;
