/**
 * Carries out a storm as a provider would: makes things happen in the sandbox's world and announces them, each at its
 * time. `deliver.ts` is how one delivery is made.
 *
 * 1. Twins start in one turn of the event loop.
 * 2. At most so many requests are open at once; the plan's clock waits for them.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../sandbox/random.ts';
import { providerOf, type SandboxEvent, type World } from '../sandbox/world.ts';
import { openDeliverer, type DelivererOptions } from './deliver.ts';
import { forgeBody, type OutgoingDelivery } from './forge.ts';
import type { Ledger } from './ledger.ts';
import type { PlannedDelivery, PlannedHappening, Storm } from './storm.ts';

export interface SendOptions extends DelivererOptions {
  world: World;
  /** By source; the first signs, some deliveries are still signed with the second (a rotation under way). */
  secrets: Record<string, string[]>;
  random: Random;
  onProgress: (sent: number, of: number) => void;
  /** Holds the storm back; null: it goes on at once. */
  hold: (index: number) => Promise<void> | null;
}

/** What is open at once. */
export const MAX_OPEN = 48;

export async function sendStorm(storm: Storm, options: SendOptions): Promise<Ledger> {
  const { world, signal } = options;
  const deliverer = openDeliverer(options);
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
      // (1) No wait, and so no turn of the loop, between a delivery and its twin.
      if (planned.kind !== 'twin') {
        // (2)
        while (open.size >= MAX_OPEN) await Promise.race(open);
        const earlyMs = planned.atMs - elapsedMs();
        if (earlyMs > 1) await delay(earlyMs, undefined, { signal });
      }
      happenUntil(planned);
      const outgoing = write(planned);
      const sending = deliverer.deliver(outgoing).finally(() => {
        open.delete(sending);
        options.onProgress(++sent, storm.deliveries.length);
      });
      open.add(sending);
    }
    // What happened last may be lost, too.
    happenUntil({ atMs: Infinity, of: storm.happenings.length });
    await Promise.all(open);
  } finally {
    deliverer.close();
  }
  return deliverer.ledger;

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
}
