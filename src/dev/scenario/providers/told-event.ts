/**
 * A delivery's fields with what it leaves unsaid filled in, the same for every provider and for the pure player: which
 * object, which order, which version. What a provider makes of them is its writer's matter.
 */
import type { Scenario, ScenarioDelivery } from '../format/scenario.ts';

/** One thing that the provider says has happened. */
export interface ToldEvent {
  source: string;
  id: string;
  type: string;
  /** `<kind>:<id>` */
  object: string;
  /** null: it names none. */
  order: string | null;
  payment: string | null;
  /** null: it has none. */
  version: string | null;
  /** When the provider claims that it happened. */
  time: string | null;
  /** When its object was made. */
  created: string | null;
  mode: string | null;
  account: string | null;
  facts: Record<string, string>;
}

/** What was told so far: ids are counted by place, versions by object, and an event may be named again. */
export class Telling {
  readonly #order: string | null;
  readonly #told = new Map<string, ToldEvent>();
  readonly #versions = new Map<string, bigint>();
  #count = 0;

  constructor(scenario: Pick<Scenario, 'order'>) {
    this.#order = scenario.order ?? null;
  }

  /** null: nothing is told of it but bytes. */
  tell(delivery: ScenarioDelivery): ToldEvent | null {
    this.#count++;
    const { source, type } = delivery;
    const id = delivery.event ?? `e${this.#count}`;
    const before = this.#told.get(`${source}/${id}`);
    if (type === undefined) return before ?? null;
    const object = fullObject(delivery.object ?? impliedObject(delivery, this.#order), type);
    const event: ToldEvent = {
      source,
      id,
      type,
      object,
      order: delivery.order === undefined ? orderOf(object, this.#order) : delivery.order,
      payment: delivery.payment ?? null,
      version: delivery.version ?? before?.version ?? this.#nextVersion(`${source}/${object}`),
      time: delivery.time ?? null,
      created: delivery.created ?? null,
      mode: delivery.mode ?? null,
      account: delivery.account ?? null,
      facts: delivery.facts ?? {},
    };
    this.#told.set(`${source}/${id}`, event);
    this.#note(`${source}/${object}`, event.version);
    return event;
  }

  /** After the highest that was told of this object. */
  #nextVersion(object: string): string {
    return String((this.#versions.get(object) ?? 0n) + 1n);
  }

  #note(object: string, version: string | null): void {
    if (version === null || !/^\d+$/.test(version)) return;
    const told = BigInt(version);
    if (told > (this.#versions.get(object) ?? 0n)) this.#versions.set(object, told);
  }
}

/** `1042` of an `order.cancelled` is `order:1042`. */
export function fullObject(object: string, type: string | null): string {
  return object.includes(':') ? object : `${kindOf(type)}:${object}`;
}

/** What happens to a payment, also in Stripe's words. */
const OF_A_PAYMENT: ReadonlySet<string> = new Set(['refund', 'payment_intent', 'charge', 'checkout']);

function kindOf(type: string | null): string {
  const word = type?.split('.')[0] ?? 'order';
  if (type?.startsWith('charge.dispute.') === true) return 'dispute';
  return OF_A_PAYMENT.has(word) ? 'payment' : word;
}

function impliedObject({ type, payment }: ScenarioDelivery, order: string | null): string {
  const isOfPayment = kindOf(type ?? null) === 'payment';
  return (isOfPayment ? payment : order) ?? order ?? '';
}

/** Whose an object is that names no order: the story's; else an order is its own. */
export function orderOf(object: string, storysOrder: string | null): string | null {
  if (storysOrder !== null) return storysOrder;
  return object.startsWith('order:') ? object.slice('order:'.length) : null;
}
