/** A person's word in a story, taken to the order as `inorder orders`, `events` and `effects` do. */
import { InorderError } from '../../errors.ts';
import { actOnEffect, findEffect } from '../../operations/act-on-effect.ts';
import { linkEvent } from '../../operations/link-event.ts';
import { reconcileOrder } from '../../operations/reconcile-order.ts';
import { resolveOrder } from '../../operations/resolve-order.ts';
import type { OrderKey } from '../../ordering/state.ts';
import { listEffects } from '../../store/effect-listing.ts';
import { listEvents } from '../../store/event-listing.ts';
import type { ScenarioPerson } from './format/scenario.ts';
import type { Stage } from './stage/stage.ts';
import { fullObject } from './providers/told-event.ts';

/** What was refused, in words; null: it was done. */
export async function act(stage: Stage, word: ScenarioPerson): Promise<string | null> {
  const { store, client } = stage;
  const deps = { ...client, db: store };
  const said = { actor: word.by ?? 'story', reason: word.reason ?? 'as the story says' };
  const order = keyOf(stage, word);
  switch (word.person) {
    case 'resolve': {
      const { stream, event } = await subjectOf(stage, word);
      const result = await resolveOrder(deps, order, {
        ...said,
        stream,
        event,
        resolution: resolutionOf(word),
      });
      return result === null ? `nothing is known of order ${order.id}` : result.refused;
    }
    case 'reconcile': {
      const { stream } = await subjectOf(stage, word);
      const result = await reconcileOrder(deps, order, { ...said, stream });
      return result === null ? `nothing is known of order ${order.id}` : result.refused;
    }
    case 'link': {
      const event = await eventOf(stage, word);
      return (await linkEvent(deps, { ...said, seq: event.seq, order, isNew: true })).refused;
    }
    default: {
      const name = word.effect ?? '';
      const known = await listEffects(store, { order: order.id, limit: 1_000 });
      const row = known.find(
        (one) => one.name === name || one.key.replace(`/${stage.storyEnvironment}/`, '/test/') === name,
      );
      const effect = row === undefined ? null : await findEffect(store, row.key);
      if (effect === null) return `order ${order.id} has no effect ${name}`;
      return (await actOnEffect(client, effect, { ...said, action: word.person })).refused;
    }
  }
}

function keyOf(
  { story, machine, storyEnvironment: environment }: Stage,
  { order }: ScenarioPerson,
): OrderKey {
  const id = order ?? story.scenario.order;
  if (id === undefined) throw new InorderError('usage', "say with 'order' which order is meant");
  return { machine, environment, id };
}

function resolutionOf({ as }: ScenarioPerson) {
  if (as === 'ignore') return { kind: 'ignore' as const };
  if (as === 'rebase') return { kind: 'rebase' as const };
  if (as === undefined) throw new InorderError('usage', "say with 'as' what it is taken as");
  return { kind: 'apply' as const, status: as.status };
}

async function subjectOf(
  stage: Stage,
  word: ScenarioPerson,
): Promise<{ stream: string | null; event: string | null }> {
  if (word.event !== undefined) {
    const { source, object, event } = await eventOf(stage, word);
    return { stream: `${source}/${object}`, event };
  }
  if (word.object === undefined) return { stream: null, event: null };
  const source = word.source ?? Object.keys(stage.story.scenario.sources)[0] ?? '';
  return { stream: `${source}/${fullObject(word.object, null)}`, event: null };
}

async function eventOf({ store }: Stage, { source, event }: ScenarioPerson) {
  const events = await listEvents(store, { ...(source === undefined ? {} : { source }), limit: 10_000 });
  const found = events.find((one) => one.event === event);
  if (found !== undefined) return found;
  throw new InorderError('usage', `no event '${event ?? ''}' is stored when a person speaks of it`);
}
