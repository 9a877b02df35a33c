/**
 * How a provider delivers: by signed HTTP, again and again until there is an answer that ends it, and with a ledger of its
 * own. The naive handler gets a copy of each delivery, once.
 *
 * 1. What is accepted is never sent again by itself; what is not is retried until it is, or until the end of time
 *    given.
 * 2. Where there are several receivers, each attempt goes to another one, as behind a balancer that knows nothing.
 */
import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { OutgoingDelivery } from './forge.ts';
import { isRefusedByMistake, Ledger, type LedgerEntry } from './ledger.ts';
import { post } from './post.ts';

export interface DelivererOptions {
  /** Of inorder's receivers and of the naive handler, if it gets copies; the source's name is put behind. */
  receiverUrls: readonly string[];
  naiveUrl: string | null;
  /** Providers try again what was refused, too; without it a refusal is the end. */
  retriesRefused?: boolean;
  /** Why nobody will ever answer; null while somebody may. */
  failure: () => Error | null;
  signal: AbortSignal;
}

export interface Deliverer {
  readonly ledger: Ledger;
  deliver(outgoing: OutgoingDelivery): Promise<void>;
  close(): void;
}

const MAX_SOCKETS = 96;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 2_000;
const GIVE_UP_AFTER_MS = 180_000;

export function openDeliverer(options: DelivererOptions): Deliverer {
  const { receiverUrls, signal } = options;
  const ledger = new Ledger();
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });

  async function deliver(outgoing: OutgoingDelivery): Promise<void> {
    const entry: LedgerEntry = { outgoing, startedAtMs: performance.now(), answers: [], endedAtMs: 0 };
    ledger.entries.push(entry);
    const naive = options.naiveUrl === null ? null : post(options.naiveUrl, outgoing, { agent });
    const { of, copy } = outgoing.planned;
    for (let attempt = 1; ; attempt++) {
      // (2)
      const url = receiverUrls[(of + copy + attempt) % receiverUrls.length] ?? '';
      const answer = await post(url, outgoing, { agent });
      entry.answers.push(answer);
      entry.endedAtMs = performance.now();
      // (1)
      const isEnd = 'status' in answer && answer.status < 500;
      if (isEnd && !(options.retriesRefused === true && isRefusedByMistake(entry))) break;
      if (signal.aborted || options.failure()) break;
      if (entry.endedAtMs - entry.startedAtMs > GIVE_UP_AFTER_MS) break;
      await delay(Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempt - 1)), undefined, { signal }).catch(
        () => undefined,
      );
    }
    await naive;
  }

  return { ledger, deliver, close: () => agent.destroy() };
}
