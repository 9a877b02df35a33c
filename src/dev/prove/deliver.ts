/**
 * Plays the plan as a provider would: each order's events in their sequence, the orders of a phase beside each other, the
 * same delivery to all handlers. What is not answered 2xx is sent again until it is.
 *
 * 1. The next step of an order begins when all have answered the one before, unless the plan says that it does not wait.
 * 2. Copies start in one turn of the event loop, each over a connection of its own.
 * 3. What an event tells has happened at the provider, and all that happened before it; so has, at an order's end,
 *    what was never told.
 * 4. A handler is killed once per planned crash: the repeat of that delivery goes through. The next crash comes only when
 *    all have answered that: who is killed whenever it comes back gets nothing done.
 */
import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { providerOf, type SandboxEvent, type World } from '../sandbox/world.ts';
import { post, type SignedMessage } from '../traffic/post.ts';
import type { CrashPoint } from './handlers/handler.ts';
import { CRASH_HEADER } from './handlers/handlers.ts';
import type { PlannedOrder, Step } from './plan.ts';

/** Who gets the deliveries. */
export interface Target {
  webhooksUrl: string;
  /** Has it killed at a point of its work: whoever comes there first; or by a header of the delivery. */
  crash: { arm: (point: CrashPoint) => Promise<void> } | { wasKilledAt: (delivery: string) => boolean };
}

export interface DeliverOptions {
  world: World;
  targets: readonly Target[];
  /** By source. */
  secrets: Record<string, string[]>;
  /** Of the first happening of every order, before the seconds of its plan. */
  claimedFromMs: number;
  onDelivered: (delivered: number, of: number) => void;
  failure: () => Error | null;
  signal: AbortSignal;
}

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 2_000;
const GIVE_UP_AFTER_MS = 300_000;
const MAX_SOCKETS = 64;

export interface Delivered {
  deliveries: number;
  /** Attempts beyond the first of each. */
  retries: number;
}

export async function deliverAll(
  phases: readonly (readonly PlannedOrder[])[],
  options: DeliverOptions,
): Promise<Delivered> {
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  const counts: Delivered = { deliveries: 0, retries: 0 };
  const copies = phases.flat().flatMap(({ steps }) => steps.map((step) => step.copies));
  const all = copies.reduce((sum, some) => sum + some, 0);
  const { world, targets, secrets, signal } = options;

  async function playOrder({ story, startsAtMs, seconds, steps }: PlannedOrder): Promise<void> {
    const events: SandboxEvent[] = [];
    // (3)
    const happenUntil = (index: number): void => {
      while (events.length <= index) {
        const claimedAtMs = options.claimedFromMs + (seconds[events.length] ?? 0) * 1_000;
        const happening = story.happenings[events.length];
        if (happening === undefined) return;
        events.push(world.happen(story, happening, Date.now(), claimedAtMs));
      }
    };
    const open: Promise<void>[] = [];
    await delay(startsAtMs, undefined, { signal });
    for (const [number, step] of steps.entries()) {
      if (step.waitMs > 0) await delay(step.waitMs, undefined, { signal });
      const failure = options.failure();
      if (failure) throw failure;
      happenUntil(step.of);
      const event = events[step.of] as SandboxEvent;
      const sending = inTurn(step, () => deliverStep(step, event, number));
      // What fails is told where it is awaited, which may be later.
      sending.catch(() => {});
      open.push(sending);
      // (1)
      if (!step.runsOn) await Promise.all(open.splice(0));
    }
    happenUntil(story.happenings.length - 1);
    await Promise.all(open);
  }

  // (4)
  let lastCrash = Promise.resolve();
  function inTurn(step: Step, deliverIt: () => Promise<void>): Promise<void> {
    if (step.crash === null) return deliverIt();
    const crash = lastCrash.then(deliverIt);
    // The next one has its turn however this one ends; that is told to whoever waits for it.
    lastCrash = crash.catch(() => {});
    return crash;
  }

  async function deliverStep(step: Step, event: SandboxEvent, number: number): Promise<void> {
    const source = providerOf(event.object);
    const message: SignedMessage = {
      source,
      id: `msg_${event.id.slice(4)}_${number}`,
      ...{ body: event.body, secret: secrets[source]?.[0] ?? '', ageSeconds: 0, spoil: null },
    };
    const { crash: point } = step;
    if (point !== null) {
      await Promise.all(targets.map(async ({ crash }) => ('arm' in crash ? await crash.arm(point) : null)));
    }
    // (2)
    const sending = Array.from({ length: step.copies }, async (_, copy) => {
      await Promise.all(targets.map((target) => deliver(target, message, copy === 0 ? point : null)));
      options.onDelivered(++counts.deliveries, all);
    });
    await Promise.all(sending);
  }

  async function deliver(target: Target, message: SignedMessage, point: CrashPoint | null): Promise<void> {
    const { crash } = target;
    // (4)
    const isToFall = () => point !== null && 'wasKilledAt' in crash && !crash.wasKilledAt(message.id);
    const startedAtMs = Date.now();
    for (let attempt = 1; ; attempt++) {
      const headers: Record<string, string> = point !== null && isToFall() ? { [CRASH_HEADER]: point } : {};
      const answer = await post(target.webhooksUrl, message, { agent, headers });
      if ('status' in answer && answer.status < 300) return;
      // Retrying does not help, and no genuine delivery may be refused.
      if ('status' in answer && answer.status < 500) {
        throw new Error(`a genuine delivery was answered ${answer.status} by ${target.webhooksUrl}`);
      }
      const failure = options.failure();
      if (failure) throw failure;
      if (Date.now() - startedAtMs > GIVE_UP_AFTER_MS)
        throw new Error(`${target.webhooksUrl} does not answer`);
      counts.retries++;
      await delay(Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempt - 1)), undefined, { signal });
    }
  }

  try {
    for (const orders of phases) await Promise.all(orders.map(playOrder));
  } finally {
    agent.destroy();
  }
  return counts;
}
