/**
 * One order in memory: decided by the core, kept as `apply` would keep it. What `apply` refuses is decided again
 * without it, as the workflow does (`workflows/stored-order.ts`).
 */
import { toldByProvider } from '../../../../activities/find-contests.ts';
import { withContested } from '../../../ordering/contested.ts';
import { freshState } from '../../../ordering/fresh-state.ts';
import type { Machine } from '../../../ordering/machine.ts';
import { promised } from '../../../ordering/promised.ts';
import type { Decision, JournalEntry, OrderEvent, OrderKey, OrderState } from '../../../ordering/state.ts';
import type { PureEffects } from './effects.ts';
import type { PureEvents } from './events.ts';

export interface OrderWorld {
  machine: Machine;
  events: PureEvents;
  effects: PureEffects;
  /** Carries out what a person ordered about rows; in words why not, or null. */
  carryOut(person: NonNullable<Decision['person']>, order: PureOrder): string | null;
}

export type Decide = (machine: Machine, state: OrderState, events: OrderEvent[]) => Decision;

export class PureOrder {
  readonly key: OrderKey;
  state: OrderState;
  revision = 0;
  readonly journal: JournalEntry[] = [];
  /** Asks and searches under way, by stream or source, and their numbers. */
  readonly asking = new Map<string, number>();
  readonly #world: OrderWorld;

  constructor(key: OrderKey, world: OrderWorld) {
    this.key = key;
    this.#world = world;
    this.state = freshState(world.machine, key);
  }

  /** Decides until it is stored; in words why a person's word was not taken, or null. */
  decide(batch: readonly OrderEvent[], now: number, decideOn: Decide): string | null {
    const { machine, events: rows } = this.#world;
    let events = [...batch];
    for (;;) {
      const decision = decideOn(machine, this.state, events);
      const { settled, twins } = rows.refusedOf(
        this.key.id,
        events.map((event) => this.#promised(event)),
        decision.outcomes,
      );
      if (settled.size > 0 || twins.size > 0) {
        events = events
          .filter(({ seq }) => !settled.has(seq))
          .map((event) => (twins.has(event.seq) ? { ...event, twin: true } : event));
        if (batch.length > 0 && events.length === 0) return null;
        continue;
      }
      const contests = this.#contests(decision, events);
      if (Object.keys(contests).length > 0) {
        this.state = withContested(this.state, contests);
        continue;
      }
      const refused = decision.person === undefined ? null : this.#world.carryOut(decision.person, this);
      if (refused !== null) return refused;
      this.#write(decision, now);
      return null;
    }
  }

  #promised(event: OrderEvent): OrderEvent {
    return promised(this.state.sources[event.source]?.contract ?? 'unordered', event);
  }

  #contests({ state, outcomes }: Decision, batch: readonly OrderEvent[]): Record<string, string> {
    const { events } = this.#world;
    const refs = [...outcomes.map(({ ref }) => ref), ...batch];
    const { named, found } = events.foreignRefs(this.key.id, refs);
    const links = [...named].map((name) => {
      const slash = name.indexOf('/');
      return {
        source: name.slice(0, slash),
        ref: name.slice(slash + 1),
        order: events.links.get(name) as string,
      };
    });
    for (const { source, ref } of toldByProvider(state, this.revision === 0 ? null : this.state, links)) {
      const order = events.link(`${source}/${ref}`, this.key.id);
      if (order !== this.key.id) found[`${source}/${ref}`] = order;
    }
    return Object.fromEntries(
      Object.entries(found).filter(([name, order]) => state.contested?.[name] !== order),
    );
  }

  #write({ state, outcomes, journal, effects }: Decision, now: number): void {
    this.state = state;
    this.revision += 1;
    this.journal.push(...journal);
    this.#world.events.write(outcomes);
    this.#world.effects.request(this.key, this.revision, effects, now);
  }
}
