/** What of an order's attention began and what ended between two states. Pure. */
import { sourceOf } from '../ordering/fresh-state.ts';
import type { Attention, AttentionKind } from '../ordering/state.ts';

export interface AttentionChange {
  kind: AttentionKind;
  /** `inorder` where no source is meant: an effect, a deadline. */
  source: string;
  hasEnded: boolean;
  reason: string;
}

export function attentionChanges(
  before: readonly Attention[],
  after: readonly Attention[],
): AttentionChange[] {
  const [old, now] = [byCause(before), byCause(after)];
  const began = [...now].filter(([cause]) => !old.has(cause));
  const ended = [...old].filter(([cause]) => !now.has(cause));
  return [
    ...began.map(([, attention]) => changeOf(attention, false)),
    ...ended.map(([, attention]) => changeOf(attention, true)),
  ];
}

const byCause = (all: readonly Attention[]): Map<string, Attention> =>
  new Map(all.map((attention) => [causeOf(attention), attention]));

/** Of gaps and silence there is one per stream, and what is told of them changes while they last. */
function causeOf({ kind, stream, since }: Attention): string {
  return JSON.stringify(kind === 'gap' || kind === 'reconcile' ? [kind, stream] : [kind, stream, since]);
}

const changeOf = ({ kind, stream, reason }: Attention, hasEnded: boolean): AttentionChange => ({
  kind,
  source: stream === null ? 'inorder' : sourceOf(stream),
  hasEnded,
  reason,
});
