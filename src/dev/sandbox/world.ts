/**
 * The sandbox provider's own records: what is true of each object now, and what it was at each version. Events and
 * answers are both written from here, so an answer never says what was not (or will not be) announced.
 *
 * 1. Versions of one object are contiguous and begin at 1.
 * 2. An object's state is its last word that means something; a note raises the version and leaves the state.
 */
import { STATUS_OF, type Happening, type ToldOrder } from './story.ts';

/** A shop tells of orders and parcels; who handles its money tells of payments and disputes. */
const PROVIDER_OF_KIND: Record<string, string> = {
  order: 'shop',
  shipment: 'shop',
  payment: 'payments',
  dispute: 'payments',
};
/** Which of the demo's sources an object belongs to; empty for a kind there is not. */
export const providerOf = (object: string): string => PROVIDER_OF_KIND[splitObject(object)[0]] ?? '';

/** One announcement of the provider: the bytes of its webhook, and what a test wants to know of it. */
export interface SandboxEvent {
  id: string;
  order: string;
  object: string;
  type: string;
  version: number;
  body: string;
}

interface ObjectRecord {
  order: string;
  payment: string | null;
  /** What was true at version 1, 2, …; null while only notes were heard. */
  states: (ObjectAnswer | null)[];
}

export interface ObjectAnswer {
  object: string;
  type: string;
  version: number;
  order: string;
  payment: string | null;
  data: Record<string, string>;
  refunds: { type: string; data: Record<string, string> }[];
}

export class World {
  readonly #objects = new Map<string, ObjectRecord>();
  readonly #objectsOfOrder = new Map<string, string[]>();
  readonly #statuses = new Map<string, string>();
  /** Everything that was announced, in the order in which it happened here. */
  readonly #changes: { provider: string; atMs: number; body: string }[] = [];
  #events = 0;

  /** The next thing of the story is true from now on; returns how it is announced, and when it says it happened. */
  happen(story: ToldOrder, happening: Happening, atMs: number, claimedAtMs = atMs): SandboxEvent {
    const { object, type, payment, data } = happening;
    const record = this.#objects.get(object) ?? { order: story.order, payment, states: [] };
    if (!this.#objects.has(object)) {
      this.#objects.set(object, record);
      this.#objectsOfOrder.set(story.order, [...(this.#objectsOfOrder.get(story.order) ?? []), object]);
    }
    const status = STATUS_OF[type];
    if (status !== undefined) this.#statuses.set(story.order, status);
    const before = record.states.at(-1) ?? null;
    const version = record.states.length + 1;
    record.states.push(nextState(before, { object, version, order: story.order, payment, type, data }));

    const id = `evt_${String(++this.#events).padStart(6, '0')}`;
    const [kind, objectId] = splitObject(object);
    const written = JSON.stringify({
      id,
      type,
      created: new Date(claimedAtMs).toISOString(),
      order: story.order,
      object: { kind, id: objectId, ...(payment === null ? {} : { payment }) },
      version,
      data,
    });
    const body = story.numericOrder
      ? written.replace(`"order":"${story.order}"`, `"order":${story.order}`)
      : written;
    this.#changes.push({ provider: providerOf(object), atMs, body });
    return { id, order: story.order, object, type, version, body };
  }

  /** What a provider announced in a window of time; `next`: where the next page begins. */
  changesOf(
    provider: string,
    { sinceMs, untilMs, from, limit }: { sinceMs: number; untilMs: number; from: number; limit: number },
  ): { bodies: string[]; next: number | null } {
    const bodies: string[] = [];
    for (let index = from; index < this.#changes.length; index += 1) {
      const change = this.#changes[index];
      if (change?.provider !== provider || change.atMs < sinceMs || change.atMs >= untilMs) continue;
      if (bodies.length === limit) return { bodies, next: index };
      bodies.push(change.body);
    }
    return { bodies, next: null };
  }

  /** `versionsBehind`: as a replica would answer that has not heard the last so many changes. */
  answerAbout(object: string, versionsBehind = 0): ObjectAnswer | null {
    return this.#objects.get(object)?.states.at(-1 - versionsBehind) ?? null;
  }

  objectsOf(order: string): string[] | null {
    return this.#objectsOfOrder.get(order) ?? null;
  }

  /** How the whole order stands, and the refunds that were made of it and did not fail. */
  standingOf(order: string): { status: string; refunds: string[] } {
    const refunds = (this.objectsOf(order) ?? []).flatMap(
      (object) => this.answerAbout(object)?.refunds.map(({ data }) => data['refund'] ?? '') ?? [],
    );
    return { status: this.#statuses.get(order) ?? 'new', refunds };
  }
}

function nextState(before: ObjectAnswer | null, now: Omit<ObjectAnswer, 'refunds'>): ObjectAnswer | null {
  // (2) Chatter, and words about the order that no state follows from.
  if (STATUS_OF[now.type] === undefined) return before === null ? null : { ...before, version: now.version };
  return { ...now, refunds: refundsAfter(before?.refunds ?? [], now) };
}

function refundsAfter(
  before: ObjectAnswer['refunds'],
  now: { type: string; data: Record<string, string> },
): ObjectAnswer['refunds'] {
  const { type, data } = now;
  if (type === 'refund.failed') return before.filter((refund) => refund.data['refund'] !== data['refund']);
  const isRefund = type === 'payment.partially_refunded' || type === 'payment.refunded';
  return isRefund ? [...before, { type, data }] : before;
}

function splitObject(object: string): [kind: string, id: string] {
  const colon = object.indexOf(':');
  return [object.slice(0, colon), object.slice(colon + 1)];
}
