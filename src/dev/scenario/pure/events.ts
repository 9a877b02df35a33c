/**
 * The rows of `events` and `links` in memory: what the store's door and `apply` know of them. Rules are those of
 * `src/receiver/store-group.ts` and `activities/apply.ts`; only the rows are elsewhere.
 */
import type { NewEvent } from '../../../store/events.ts';
import type { EventOutcome, EventRef, OrderEvent, Outcome } from '../../../ordering/state.ts';
import { conflictId, isSameNews } from '../../../receiver/conflict.ts';
import type { Stored } from '../../../receiver/group-commit.ts';

export interface PureEvent {
  seq: string;
  eventId: string;
  isConflict: boolean;
  news: NewEvent;
  order: string | null;
  outcome: Outcome | null;
  reason: string | null;
  deliveries: number;
  /** How often its provider was asked for its order. */
  attempts: number;
  /** When it was stored, epoch ms. */
  storedAt: number;
}

/** Outcomes after which the same news under another id is a twin. */
const HEARD: ReadonlySet<Outcome> = new Set(['applied', 'ignored', 'stale', 'superseded', 'review']);

export class PureEvents {
  readonly all: PureEvent[] = [];
  /** Orders by `<source>/<ref>`: the first stands. */
  readonly links = new Map<string, string>();
  readonly #byName = new Map<string, PureEvent>();

  store(event: NewEvent, now: number): Stored {
    const standing = this.#byName.get(nameOf(event.source, event.eventId));
    const isConflict = standing !== undefined && !isSameNews(newsOf(standing), event);
    const eventId = isConflict ? conflictId(event) : event.eventId;
    const known = isConflict ? this.#byName.get(nameOf(event.source, eventId)) : standing;
    const row = known ?? this.#insert(event, eventId, isConflict, now);
    row.deliveries += 1;
    const kind = isConflict ? 'conflict' : known === undefined ? 'stored' : 'known';
    const isSettled = row.outcome !== null && row.outcome !== 'held';
    return {
      kind,
      seq: row.seq,
      eventId,
      order: row.order,
      taken: row.outcome !== null,
      settled: isSettled,
    };
  }

  #insert(news: NewEvent, eventId: string, isConflict: boolean, now: number): PureEvent {
    const row: PureEvent = {
      seq: String(this.all.length + 1),
      eventId,
      isConflict,
      news,
      order: news.order,
      outcome: news.outcome,
      reason: news.reason,
      deliveries: 0,
      attempts: 0,
      storedAt: now,
    };
    this.all.push(row);
    this.#byName.set(nameOf(news.source, eventId), row);
    if (tellsOfOrders(news)) {
      row.order ??= this.#linked(news);
      if (row.order !== null) this.#link(news, row.order);
    }
    return row;
  }

  #linked({ source, refs }: NewEvent): string | null {
    return refs.map((ref) => this.links.get(`${source}/${ref}`)).find((order) => order !== undefined) ?? null;
  }

  #link({ source, refs }: NewEvent, order: string): void {
    for (const ref of refs) this.link(`${source}/${ref}`, order);
  }

  /** The order that the object belongs to: this one, unless another was named first. */
  link(ref: string, order: string): string {
    const standing = this.links.get(ref);
    if (standing === undefined) this.links.set(ref, order);
    return standing ?? order;
  }

  /** Gives an event to an order by hand, or by what its provider says. */
  give(row: PureEvent, order: string): void {
    row.order = order;
    this.#link(row.news, order);
  }

  /** Events whose order is known by now, until nothing moves. */
  join(): PureEvent[] {
    const joined: PureEvent[] = [];
    for (let isMoving = true; isMoving;) {
      isMoving = false;
      for (const row of this.unlinked()) {
        const order = this.#linked(row.news);
        if (order === null) continue;
        this.give(row, order);
        joined.push(row);
        isMoving = true;
      }
    }
    return joined;
  }

  unlinked(): PureEvent[] {
    return this.all.filter((row) => row.order === null && row.outcome === null && tellsOfOrders(row.news));
  }

  rowOf(ref: EventRef): PureEvent {
    const row = this.all[Number(ref.seq) - 1];
    if (row === undefined) throw new Error(`no event ${ref.seq}`);
    return row;
  }

  /** What of a batch `apply` would refuse, because it is settled or its news is under another id. */
  refusedOf(order: string, batch: readonly OrderEvent[], outcomes: readonly EventOutcome[]): Refused {
    const last = lastOutcomes(outcomes);
    const settled = [...last.values()]
      .map(({ ref }) => this.rowOf(ref))
      .filter((row) => isSettled(row, last.get(row.seq)?.outcome))
      .concat(
        batch.map((event) => this.rowOf(event)).filter((row) => isSettled(row, last.get(row.seq)?.outcome)),
      );
    const seqs = new Set(batch.map(({ seq }) => seq));
    const twins = batch.filter((event) => {
      const outcome = last.get(event.seq)?.outcome;
      if (event.version === null || outcome === undefined || outcome === 'stale') return false;
      return this.all.some((row) => !seqs.has(row.seq) && row.order === order && isTwin(row, event));
    });
    return { settled: new Set(settled.map(({ seq }) => seq)), twins: new Set(twins.map(({ seq }) => seq)) };
  }

  write(outcomes: readonly EventOutcome[]): void {
    for (const { ref, outcome, reason } of lastOutcomes(outcomes).values())
      Object.assign(this.rowOf(ref), { outcome, reason });
  }

  /** Objects and payments of these events that belong to another order. */
  foreignRefs(
    order: string,
    refs: readonly EventRef[],
  ): { named: Set<string>; found: Record<string, string> } {
    const named = new Set<string>();
    const found: Record<string, string> = {};
    for (const ref of refs) {
      const { news } = this.rowOf(ref);
      const names = [news.object, ...(news.payment === null ? [] : [`payment:${news.payment}`])];
      for (const name of names.map((one) => `${news.source}/${one}`)) {
        const linked = this.links.get(name);
        if (linked === undefined) continue;
        named.add(name);
        if (linked !== order) found[name] = linked;
      }
    }
    return { named, found };
  }
}

export interface Refused {
  settled: Set<string>;
  twins: Set<string>;
}

/** What is not ours, or could not be read, teaches nothing. */
const tellsOfOrders = ({ outcome }: NewEvent): boolean => outcome !== 'foreign' && outcome !== 'failed';

const newsOf = ({ news, order }: PureEvent) => ({ ...news, order });
const nameOf = (source: string, id: string): string => JSON.stringify([source, id]);

function lastOutcomes(outcomes: readonly EventOutcome[]): Map<string, EventOutcome> {
  return new Map(outcomes.map((told) => [told.ref.seq, told]));
}

const AFTER_REVIEW: ReadonlySet<Outcome> = new Set(['applied', 'ignored', 'superseded']);

function isSettled({ outcome }: PureEvent, next: Outcome | undefined): boolean {
  if (outcome === null || outcome === 'held') return false;
  return !(outcome === 'review' && next !== undefined && AFTER_REVIEW.has(next));
}

const isTwin = ({ news, outcome }: PureEvent, event: OrderEvent): boolean =>
  outcome !== null &&
  HEARD.has(outcome) &&
  news.stream === event.stream &&
  news.version === event.version &&
  news.fact === event.fact;

/** An event as its order's workflow gets it. */
export function eventOf({ seq, eventId, isConflict, news }: PureEvent): OrderEvent {
  const { source, stream, type, payment, version, claimedAt, createdAt, fact, facts } = news;
  return {
    seq,
    source,
    event: eventId,
    stream,
    type,
    payment,
    version,
    claimedAt,
    ...(createdAt === null ? {} : { createdAt }),
    fact,
    facts,
    ...(isConflict ? { conflict: true } : {}),
  };
}
