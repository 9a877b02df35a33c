/** A person's word in a story in memory: the same decisions of the core as behind `inorder orders`, `events`, `effects`. */
import { InorderError } from '../../../errors.ts';
import { subjectOf } from '../../../operations/subject-of.ts';
import { orderEffect, orderLink } from '../../../ordering/persons-order.ts';
import { reconcile, resolve, type Resolution } from '../../../ordering/resolve.ts';
import type { Decision } from '../../../ordering/state.ts';
import type { Scenario, ScenarioPerson } from '../format/scenario.ts';
import { fullObject } from '../providers/told-event.ts';
import type { PureEvent } from './events.ts';
import type { PureOrder } from './order.ts';
import type { PureWorld } from './world.ts';

/** What was refused, in words; null: it was done. */
export function act(world: PureWorld, scenario: Scenario, word: ScenarioPerson): string | null {
  const id = word.order ?? scenario.order;
  if (id === undefined) throw new InorderError('usage', "say with 'order' which order is meant");
  const order = world.order(id);
  const by = `${word.by ?? 'story'}: ${word.reason ?? 'as the story says'}`;
  switch (word.person) {
    case 'resolve':
    case 'reconcile':
      if (order.revision === 0) return `nothing is known of order ${id}`;
      return word.person === 'resolve'
        ? resolveIt(world, scenario, order, word, by)
        : askIt(world, order, aboutOf(world, scenario, word).stream, by);
    case 'link': {
      const { seq, eventId: event, news } = eventOf(world, word);
      const ref = { seq, source: news.source, event };
      return world.decideOn(order, [], (machine, state) =>
        orderLink(machine, state, { event: ref, stream: news.stream, by }, world.now),
      );
    }
    default: {
      const row = world.effects.rows.find(
        (one) => one.order === id && (one.name === word.effect || one.key === word.effect),
      );
      if (row === undefined) return `order ${id} has no effect ${word.effect ?? ''}`;
      const action = word.person;
      return world.decideOn(order, [], (machine, state) =>
        orderEffect(machine, state, { key: row.key, action, seen: null, by }, world.now),
      );
    }
  }
}

function resolveIt(
  world: PureWorld,
  scenario: Scenario,
  order: PureOrder,
  word: ScenarioPerson,
  by: string,
): string | null {
  const { stream, event } = aboutOf(world, scenario, word);
  const subject = subjectOf(order.state, stream, event);
  if ('refused' in subject) return subject.refused;
  let refused: string | null = null;
  world.decideOn(order, [], (machine, state) => {
    const resolution: Resolution = { stream, event: subject.event, by, as: resolutionOf(word) };
    const decision = resolve(machine, state, resolution, world.now);
    if (!('refused' in decision)) return decision;
    refused = decision.refused;
    return nothing(state);
  });
  return refused;
}

function askIt(world: PureWorld, order: PureOrder, stream: string | null, by: string): string | null {
  return world.decideOn(order, [], (machine, state) => reconcile(machine, state, { stream, by }, world.now));
}

const nothing = (state: Decision['state']): Decision => ({ state, outcomes: [], journal: [], effects: [] });

function resolutionOf({ as }: ScenarioPerson): Resolution['as'] {
  if (as === 'ignore' || as === 'rebase') return { kind: as };
  if (as === undefined) throw new InorderError('usage', "say with 'as' what it is taken as");
  return { kind: 'apply', status: as.status };
}

function aboutOf(
  world: PureWorld,
  scenario: Scenario,
  word: ScenarioPerson,
): { stream: string | null; event: string | null } {
  if (word.event !== undefined) {
    const { news, eventId } = eventOf(world, word);
    return { stream: news.stream, event: eventId };
  }
  if (word.object === undefined) return { stream: null, event: null };
  const source = word.source ?? Object.keys(scenario.sources)[0] ?? '';
  return { stream: `${source}/${fullObject(word.object, null)}`, event: null };
}

function eventOf({ events }: PureWorld, { source, event }: ScenarioPerson): PureEvent {
  const found = events.all.find(
    (one) => one.eventId === event && (source === undefined || one.news.source === source),
  );
  if (found !== undefined) return found;
  throw new InorderError('usage', `no event '${event ?? ''}' is stored when a person speaks of it`);
}
