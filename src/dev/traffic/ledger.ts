/** What was sent and what came back, kept by the sender: nothing here was ever told by inorder's own records. */
import type { PlannedDelivery } from './storm.ts';

export type Answer = { status: number; verdict: string | null } | { error: string };

export interface LedgerEntry {
  delivery: PlannedDelivery;
  eventId: string;
  /** Of the first attempt, on the clock of performance.now(). */
  startedAtMs: number;
  answers: Answer[];
  endedAtMs: number;
}

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
      const isTaken = last !== undefined && 'status' in last && last.status < 300;
      if (last === undefined || 'error' in last || last.status >= 500) counts.unanswered++;
      else if (!isTaken) counts.refused++;
      else if (last.verdict === 'known') counts.known++;
      else counts.accepted++;
      if (isTaken === (entry.delivery.kind === 'forged')) counts.misjudged.push(entry);
    }
    return counts;
  }
}
