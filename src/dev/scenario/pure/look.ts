/** What can be seen of a story in memory: the same shapes as what is read of the real stack. */
import type { Observation } from '../verdict/observation.ts';
import { unrest } from '../verdict/rest.ts';
import type { Look } from '../verdict/signs.ts';
import type { PureWorld } from './world.ts';

export function look(world: PureWorld, refused: Record<string, number>): Look {
  const { config, orders, events, effects, apis } = world;
  const seen = events.all.map((row) => ({
    source: row.news.source,
    id: row.eventId,
    order: row.order,
    outcome: row.outcome ?? (row.order === null ? 'unlinked' : null),
    reason: row.reason,
    deliveries: row.deliveries,
    version: row.news.version,
    secret: row.news.secretId,
    attempts: row.attempts,
    type: row.news.type,
    isTaken: row.outcome !== null,
    isSettled: row.outcome !== null && row.outcome !== 'held',
  }));
  const observation: Observation = {
    orders: orders
      .map(({ key, state, journal }) => ({
        id: key.id,
        status: state.status,
        bearer: state.bearer,
        attention: state.attention,
        journal: journal.map(({ cause, ...entry }) => ({
          ...entry,
          cause: cause === null ? null : `${cause.source}/${cause.event}`,
        })),
      }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
    events: seen,
    effects: effects.rows.map(({ name, order, key, state, isDone, calls, body }) => ({
      name,
      order,
      key,
      state,
      isDone,
      calls,
      body: calls === 0 ? null : (JSON.parse(body.toString('utf8')) as unknown),
    })),
    asked: Object.fromEntries([...config.sources.keys()].map((source) => [source, apis.asked[source] ?? 0])),
    refused: { ...refused },
  };
  const [machine] = config.machines.values();
  const state = {
    orders: orders.map((order) => order.state),
    events: seen,
    effects: effects.rows.map(({ name, key, state: effect, attempt }) => ({
      name,
      key,
      state: effect,
      attempts: attempt,
    })),
    canBeAsked: (source: string) => config.sources.get(source)?.policy.api ?? false,
    isSensitive: (effect: string) => machine?.machine.effects[effect]?.sensitive === true,
  };
  const moods = {
    api: (source: string) => apis.moodOf(source),
    effect: (name: string) => effects.moodOf(name),
  };
  return { observation, unrest: unrest(state, moods, world.now) };
}
