/** Asks under way beside the loop: at most one per stream; each answer comes back as a command of the loop. */
import { ActivityFailure } from '@temporalio/workflow';
import type { FindAnswer } from '../src/ordering/find.ts';
import type { Plan } from '../src/ordering/plan.ts';
import type { Answer, OrderKey } from '../src/ordering/state.ts';
import { askActivities } from './proxies.ts';

export type AnswerCommand =
  | { kind: 'answer'; stream: string; n: number; answer: Answer }
  | { kind: 'found'; source: string; n: number; answer: FindAnswer };

export class Asking {
  private readonly underWay = new Map<string, number>();
  private readonly key: OrderKey;
  private readonly tell: (command: AnswerCommand) => void;
  private isPaused = false;

  constructor(key: OrderKey, tell: (command: AnswerCommand) => void) {
    this.key = key;
    this.tell = tell;
  }

  /** Starts what the plan wants and what is not under way; an answer that waits for the loop still counts. */
  follow(plan: Plan | null): void {
    if (plan === null || this.isPaused) return;
    for (const { stream, source, n, reason } of plan.asks)
      if (!this.underWay.has(stream)) {
        this.underWay.set(stream, n);
        void this.ask(stream, source, n, reason);
      }
    for (const { source, n, reason } of plan.finds) {
      const name = findName(source);
      if (this.underWay.has(name)) continue;
      this.underWay.set(name, n);
      void this.find(source, n, reason);
    }
  }

  /** The loop has dealt with an answer; the stream may be asked anew. */
  finished(command: AnswerCommand, plan: Plan | null): void {
    this.underWay.delete(command.kind === 'answer' ? command.stream : findName(command.source));
    this.follow(plan);
  }

  pause(): void {
    this.isPaused = true;
  }

  isIdle(): boolean {
    return this.underWay.size === 0;
  }

  private async ask(stream: string, source: string, n: number, reason: string): Promise<void> {
    const input = { key: this.key, stream, n };
    const asOf = Date.now();
    let answer: Answer;
    try {
      answer = await askActivities(source).ask.executeWithOptions(
        { summary: short(`ask about ${stream}: ${reason}`) },
        [input],
      );
    } catch (error) {
      answer = { kind: 'unavailable', stream, asOf, error: nameOf(error), retryAfterMs: null };
    }
    this.tell({ kind: 'answer', stream, n, answer });
  }

  private async find(source: string, n: number, reason: string): Promise<void> {
    let answer: FindAnswer;
    try {
      answer = await askActivities(source).find.executeWithOptions(
        { summary: short(`search ${source}: ${reason}`) },
        [{ key: this.key, source }],
      );
    } catch (error) {
      if (!(error instanceof ActivityFailure)) throw error;
      answer = { kind: 'unavailable', source, retryAfterMs: null };
    }
    this.tell({ kind: 'found', source, n, answer });
  }
}

const findName = (source: string) => `find ${source}`;

/** Temporal keeps at most 200 bytes of a summary; text beyond ASCII counts more. */
const short = (text: string) => text.slice(0, 66);

function nameOf(error: unknown): string {
  if (!(error instanceof ActivityFailure)) throw error;
  return error.cause?.message ?? error.message;
}
