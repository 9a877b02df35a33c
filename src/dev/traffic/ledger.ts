/** What was sent and what came back, kept by the sender: nothing here was ever told by inorder's own records. */
import type { OutgoingDelivery } from './forge.ts';
import type { Answer } from './post.ts';

export interface LedgerEntry {
  outgoing: OutgoingDelivery;
  /** Of the first attempt, on the clock of performance.now(). */
  startedAtMs: number;
  answers: Answer[];
  endedAtMs: number;
}

export const isForged = ({ outgoing }: LedgerEntry): boolean => outgoing.planned.kind === 'forged';
const isAccepted = (answer: Answer | undefined): answer is Answer & { status: number } =>
  answer !== undefined && 'status' in answer && answer.status < 300;
/** Any of its answers was 2xx: from then on nobody may lose it. */
export const wasAccepted = ({ answers }: LedgerEntry): boolean => answers.some(isAccepted);
/** It is genuine, and its last answer was a refusal. */
export const isRefusedByMistake = (entry: LedgerEntry): boolean => {
  const last = entry.answers.at(-1);
  return (
    !isForged(entry) && last !== undefined && 'status' in last && last.status >= 300 && last.status < 500
  );
};

export interface LedgerCounts {
  sent: number;
  accepted: number;
  known: number;
  refused: number;
  /** Attempts beyond the first: the receiver was away, or its answer was lost. */
  retries: number;
  /** Deliveries that never got an answer that ends them. */
  unanswered: number;
  /** Forged ones that got 2xx, and genuine ones that were refused. */
  misjudged: LedgerEntry[];
  slowestMs: number;
}

export class Ledger {
  readonly entries: LedgerEntry[] = [];

  counts(): LedgerCounts {
    const counts: LedgerCounts = {
      sent: this.entries.length,
      accepted: 0,
      known: 0,
      refused: 0,
      retries: 0,
      unanswered: 0,
      misjudged: [],
      slowestMs: 0,
    };
    for (const entry of this.entries) {
      counts.retries += Math.max(0, entry.answers.length - 1);
      counts.slowestMs = Math.max(counts.slowestMs, entry.endedAtMs - entry.startedAtMs);
      const last = entry.answers.at(-1);
      const isTaken = isAccepted(last);
      if (last === undefined || 'error' in last || last.status >= 500) counts.unanswered++;
      else if (!isTaken) counts.refused++;
      else if (last.verdict === 'known') counts.known++;
      else counts.accepted++;
      if (isTaken === isForged(entry)) counts.misjudged.push(entry);
    }
    return counts;
  }
}
