/** Reads what came of a story from the store, the APIs and the receiver of effects. */
import { readState } from '../../../ordering/read-state.ts';
import type { OrderState } from '../../../ordering/state.ts';
import { listEffects } from '../../../store/effect-listing.ts';
import { listEvents, showEvent } from '../../../store/event-listing.ts';
import { selectJournal } from '../../../store/journal.ts';
import { listOrders, showOrder } from '../../../store/order-listing.ts';
import type { ObservedEntry, ObservedOrder } from './observation.ts';
import { unrest } from './rest.ts';
import type { Look } from './signs.ts';
import type { Stage } from '../stage/stage.ts';

const MANY = 10_000;

export async function observe(stage: Stage, refused: Record<string, number>): Promise<Look> {
  const { store, config, api, effects: recorder } = stage;
  const events = await Promise.all(
    (await listEvents(store, { limit: MANY })).map(async (event) => ({
      ...event,
      attempts: event.order === null ? ((await showEvent(store, event.seq))?.attempts ?? 0) : 0,
    })),
  );
  const orders = await listOrders(store, { limit: MANY });
  const states: OrderState[] = [];
  const observed: ObservedOrder[] = [];
  for (const { key } of orders) {
    const order = await showOrder(store, key);
    if (order === null) continue;
    const state = readState(order.state);
    states.push(state);
    const { status, bearer, attention } = state;
    const journal = await selectJournal(store, key, { limit: MANY });
    observed.push({ id: key.id, status, bearer, attention, journal: journal.map(entryOf) });
  }
  const effects = await listEffects(store, { limit: MANY });
  const calls = new Map(recorder.effects.map((effect) => [effect.key, effect]));
  const machine = config.machines.get(stage.machine)?.machine;
  return {
    observation: {
      orders: observed.sort((a, b) => (a.id < b.id ? -1 : 1)),
      events: events.map((event) => ({
        source: event.source,
        id: event.event,
        order: event.order?.id ?? null,
        outcome: event.outcome,
        reason: event.reason,
        deliveries: event.deliveries,
        version: event.version,
        secret: event.secretId,
        attempts: event.attempts,
      })),
      effects: effects.map(({ key, name, order, state }) => {
        const call = calls.get(key);
        const got = { isDone: call?.isDone ?? false, calls: call?.calls ?? 0, body: call?.body ?? null };
        return { key, name, order: order.id, state, ...got };
      }),
      asked: Object.fromEntries([...config.sources.keys()].map((source) => [source, api.asked(source)])),
      refused,
    },
    unrest: unrest(
      {
        orders: states,
        events: events.map((event) => ({
          id: event.event,
          source: event.source,
          order: event.order?.id ?? null,
          type: event.type,
          isTaken: event.takenAt !== null,
          isSettled: event.settledAt !== null,
          attempts: event.attempts,
        })),
        effects,
        canBeAsked: (source) => config.sources.get(source)?.policy.api ?? false,
        isSensitive: (effect) => machine?.effects[effect]?.sensitive === true,
      },
      { api: (source) => api.moodOf(source), effect: (name) => recorder.moodOf(name) },
      Date.now(),
    ),
  };
}

function entryOf({
  kind,
  stream,
  type,
  version,
  from,
  to,
  reason,
  cause,
}: Awaited<ReturnType<typeof selectJournal>>[number]): ObservedEntry {
  const by = cause === null ? null : `${cause.source}/${cause.event}`;
  return { kind, stream, type, version, from, to, reason, cause: by };
}
