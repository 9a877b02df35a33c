/**
 * Carries out a storm as a provider would: makes things happen in the sandbox's world, announces them by signed
 * HTTP, and tries again whatever got no answer or a 5xx. The naive handler gets a copy of each delivery, once.
 *
 * 1. What is accepted is never sent again by itself; what is not is retried until it is, or until the end of time
 *    given.
 * 2. Twins start in one turn of the event loop.
 * 3. At most so many requests are open at once; the plan's clock waits for them.
 */
import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../sandbox/random.ts';
import { providerOf, type SandboxEvent, type World } from '../sandbox/world.ts';
import { forgeBody, type OutgoingDelivery } from './forge.ts';
import { Ledger, type LedgerEntry } from './ledger.ts';
import { post } from './post.ts';
import type { PlannedDelivery, PlannedHappening, Storm } from './storm.ts';

export interface SendOptions {
  world: World;
  /** Of inorder's receiver and of the naive handler, if it gets copies; the source's name is put behind. */
  receiverUrl: string;
  naiveUrl: string | null;
  /** By source; the first signs, some deliveries are still signed with the second (a rotation under way). */
  secrets: Record<string, string[]>;
  random: Random;
  onProgress: (sent: number, of: number) => void;
  /** Holds the storm back; null: it goes on at once. */
  hold: (index: number) => Promise<void> | null;
  /** Why nobody will ever answer; null while somebody may. */
  failure: () => Error | null;
  signal: AbortSignal;
}

const MAX_OPEN = 48;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 2_000;
const GIVE_UP_AFTER_MS = 180_000;

export async function sendStorm(storm: Storm, options: SendOptions): Promise<Ledger> {
  const { world, signal } = options;
  const ledger = new Ledger();
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_OPEN * 2 });
  const events: SandboxEvent[] = [];
  const startedAtMs = Date.now();
  // Being held stops the clock of the plan.
  let pausedMs = 0;
  const elapsedMs = () => Date.now() - startedAtMs - pausedMs;
  const open = new Set<Promise<void>>();
  let sent = 0;

  try {
    for (const [index, planned] of storm.deliveries.entries()) {
      const held = options.hold(index);
      if (held) {
        const pausedAtMs = Date.now();
        await held;
        pausedMs += Date.now() - pausedAtMs;
      }
      signal.throwIfAborted();
      const failure = options.failure();
      if (failure) throw failure;
      // (2) No wait, and so no turn of the loop, between a delivery and its twin.
      if (planned.kind !== 'twin') {
        while (open.size >= MAX_OPEN) await Promise.race(open);
        const earlyMs = planned.atMs - elapsedMs();
        if (earlyMs > 1) await delay(earlyMs, undefined, { signal });
      }
      happenUntil(planned);
      const outgoing = write(planned);
      const sending = deliver(outgoing).finally(() => {
        open.delete(sending);
        options.onProgress(++sent, storm.deliveries.length);
      });
      open.add(sending);
    }
    // What happened last may be lost, too.
    happenUntil({ atMs: Infinity, of: storm.happenings.length });
    await Promise.all(open);
  } finally {
    agent.destroy();
  }
  return ledger;

  /** What is announced has happened, and all that happened before it. */
  function happenUntil({ atMs, of }: Pick<PlannedDelivery, 'atMs' | 'of'>): void {
    while (events.length < storm.happenings.length) {
      const next = storm.happenings[events.length] as PlannedHappening;
      if (next.atMs > atMs && events.length > of) break;
      // Its own time is that of now: being held, the plan's clock is behind.
      events.push(world.happen(next.story, next.happening, Date.now()));
    }
  }

  function write(planned: PlannedDelivery): OutgoingDelivery {
    const event = events[planned.of] as SandboxEvent;
    const source = providerOf(event.object);
    const secrets = options.secrets[source] ?? [];
    const random = options.random.fork(`delivery ${planned.kind} ${planned.copy} ${planned.of}`);
    // Every third is still signed as before the rotation.
    const secret = (planned.of % 3 === 0 ? secrets[1] : undefined) ?? secrets[0] ?? '';
    // A provider's second subscription, or a person's "send again", has a message id of its own.
    const isResent = planned.kind === 'repeat' && planned.copy % 2 === 0;
    const id = `msg_${event.id.slice(4)}${isResent ? `_${planned.copy}` : ''}`;
    return planned.forgery === null
      ? { planned, event, source, id, body: event.body, secret, ageSeconds: 0, spoil: null }
      : forgeBody(
          { planned, event, source, id, body: event.body, secret, ageSeconds: 0, spoil: null },
          random,
        );
  }

  async function deliver(outgoing: OutgoingDelivery): Promise<void> {
    const entry: LedgerEntry = {
      delivery: outgoing.planned,
      eventId: outgoing.event.id,
      startedAtMs: performance.now(),
      answers: [],
      endedAtMs: 0,
    };
    ledger.entries.push(entry);
    const naive = options.naiveUrl === null ? null : post(options.naiveUrl, outgoing, { agent });
    for (let attempt = 1; ; attempt++) {
      const answer = await post(options.receiverUrl, outgoing, { agent });
      entry.answers.push(answer);
      entry.endedAtMs = performance.now();
      // (1)
      if ('status' in answer && answer.status < 500) break;
      if (signal.aborted || options.failure()) break;
      if (entry.endedAtMs - entry.startedAtMs > GIVE_UP_AFTER_MS) break;
      await delay(Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempt - 1)), undefined, { signal }).catch(
        () => undefined,
      );
    }
    await naive;
  }
}
