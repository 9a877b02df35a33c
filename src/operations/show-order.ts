/** What is known of an order and what it waits for: the shape of `GET /api/v1/orders/{machine}/{environment}/{id}`. */
import { objectOf, sourceOf } from '../ordering/fresh-state.ts';
import type {
  Contract,
  DeadlineState,
  HeldAnswer,
  HeldReason,
  OrderKey,
  OrderState,
} from '../ordering/state.ts';
import * as listing from '../store/order-listing.ts';
import { selectContestedLinks } from '../store/links.ts';
import { selectMachine } from '../store/machines.ts';
import type { Queryable } from '../store/store.ts';
import { viewEffects } from './effect-view.ts';
import type { EffectView } from './effect-view.ts';
import { lineOf } from './list-orders.ts';
import type { OrderLine } from './list-orders.ts';
import { viewOfAsk } from './open-questions.ts';
import type { AskView } from './open-questions.ts';
import { toIso } from './to-iso.ts';
import { UNEXPLAINED, waitsFor } from './waits-for.ts';
import { whatToDo } from './what-to-do.ts';
import type { Remedy } from './what-to-do.ts';

export interface OrderView extends Omit<OrderLine, 'attention'> {
  attention: (OrderLine['attention'][number] & Remedy)[];
  streams: StreamView[];
  /** Objects that two orders were named for: the first one has them. */
  contested: { source: string; object: string; order: string; also: string; since: string }[];
  /** Searches at a source for the order's objects that are open. */
  searches: (AskView & { source: string })[];
  /** What the order's status does by itself, and when. */
  deadline: { type: string; at: string; phase: DeadlineState['phase'] } | null;
  effects: EffectView[];
}
export interface StreamView {
  source: string;
  object: string;
  contract: Contract;
  version: string | null;
  missing: [string, string][];
  /** What the provider is being asked. */
  ask: AskView | null;
  /** What the provider has said and nothing follows from yet. */
  answer: { type: string; version: string | null; since: string; waitsFor: string } | null;
  held: HeldView[];
}
export interface HeldView {
  event: string;
  type: string | null;
  version: string | null;
  since: string;
  reason: HeldReason;
  waitsFor: string;
}

/** null: nothing was decided about such an order. */
export async function showOrder(db: Queryable, key: OrderKey): Promise<OrderView | null> {
  const order = await listing.showOrder(db, key);
  if (order === null) return null;
  const effects = await listing.listEffectsOfOrder(db, key);
  const { machine: name, environment, id, status, bearer, revision, updatedAt } = lineOf(order);
  const { state } = order;
  const machine = await selectMachine(db, key.machine, state.machineVersion);
  return {
    machine: name,
    environment,
    id,
    status,
    bearer,
    // The column and the state are written as one; the state's is what the commands are about.
    attention: state.attention.map((one) => ({
      ...one,
      since: toIso(one.since),
      ...whatToDo(state, machine, one),
    })),
    revision,
    streams: showStreams(state),
    contested: await contestedOf(db, state),
    searches: Object.entries(state.finds).map(([source, find]) => ({ source, ...viewOfAsk(find) })),
    deadline:
      state.deadline === null
        ? null
        : { type: state.deadline.type, at: toIso(state.deadline.at), phase: state.deadline.phase },
    effects: viewEffects(effects, state, machine, Date.now()),
    updatedAt,
  };
}

async function contestedOf(
  db: Queryable,
  { streams, contested }: OrderState,
): Promise<OrderView['contested']> {
  const names = new Set([...Object.keys(streams), ...Object.keys(contested ?? {})]);
  const refs = [...names].map((name) => ({ source: sourceOf(name), ref: objectOf(name) }));
  const links = await selectContestedLinks(db, refs);
  return links.map(({ source, ref, order, contestedBy, contestedAt }) => ({
    source,
    object: ref,
    order,
    also: contestedBy,
    since: contestedAt,
  }));
}

function showStreams(state: OrderState): StreamView[] {
  return Object.entries(state.streams).map(([key, stream]) => ({
    source: sourceOf(key),
    object: objectOf(key),
    contract: stream.contract,
    // Just below the first number stands a stream of which nothing is known yet.
    version: stream.by === null ? null : stream.version,
    missing: stream.missing,
    ask: stream.ask === null ? null : viewOfAsk(stream.ask),
    answer: viewOfAnswer(stream.answer),
    held: stream.held.map((held) => ({
      event: held.event,
      type: held.type,
      version: held.version,
      since: toIso(held.since),
      reason: held.reason,
      waitsFor: waitsFor(stream, held),
    })),
  }));
}

function viewOfAnswer(answer: HeldAnswer | null): StreamView['answer'] {
  if (answer === null) return null;
  const { snapshot, since, review, late } = answer;
  const isPersons = review !== null || late === true;
  return {
    type: snapshot.type,
    version: snapshot.version,
    since: toIso(since),
    waitsFor: isPersons ? `a person: ${review ?? UNEXPLAINED}` : 'a move of the order',
  };
}
