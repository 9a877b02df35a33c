/**
 * A tale under what its source promises: the worlds it may be told in, and what is right in each of them, whatever
 * arrived of it.
 *
 * P1  A single stream ends in the true last status, or somebody is asked.
 * P2  All endings of one tale that ask nobody are equal, whatever arrived first: the status, and each effect that is
 *     counted by what happened. The first true order of several streams sets what is right.
 * P3  What was lost is made good where the provider can be asked. Where it cannot, the endings of what did arrive
 *     are equal all the same.
 * P4  Where a deadline acted, the order stays where that led only if it is there, too, when everything arrives as it
 *     happened and the deadline passes at that moment, or at the end. What moves it on has left its trace.
 */
import type { Machine } from '../machine.ts';
import { dueAt } from '../timers.ts';
import type { Contract, SourcePolicy } from '../state.ts';
import { endOf } from './ending.ts';
import { START } from './explore.ts';
import type { TruthOf } from './explore.ts';
import { act, newWorld } from './model.ts';
import type { Copy, Model, World } from './model.ts';
import { rest } from './rest.ts';
import { interleavings, sizeOf, storyOf } from './tales.ts';
import type { Tale } from './tales.ts';
import { countedEffects } from './verdict.ts';
import type { Truth } from './verdict.ts';

export interface Promises {
  contract: Contract;
  /** The provider can be asked. */
  api: boolean;
}

const policyOf = (promises: Promises): SourcePolicy => ({
  ...promises,
  find: false,
  first: promises.contract === 'sequence' ? '1' : 'any',
  gapTimeoutMs: 30_000,
  lagWindowMs: 60_000,
  askDeadlineMs: 1_800_000,
  effects: 'run',
});

export class ToldTale {
  /** One for each order in which the streams' words may be true. */
  readonly models: readonly Model[];
  private readonly machine: Machine;
  private readonly promises: Promises;
  private readonly tale: Tale;
  private readonly known = new Map<string, Truth | null>();
  private readonly played = new Map<string, InOrder>();

  constructor(machine: Machine, promises: Promises, tale: Tale) {
    this.machine = machine;
    this.promises = promises;
    this.tale = tale;
    const sources = { source: policyOf(promises) };
    this.models = interleavings(tale).map((words) => ({
      machine,
      sources,
      story: storyOf(words, promises.contract),
      versionedAnswers: true,
    }));
  }

  /** What is right where the model at this place is true. */
  truthOf(at: number): TruthOf {
    return (delivered, expiredAfter) => {
      const name = `${at} ${nameOf(delivered)} ${expiredAfter}`;
      let truth = this.known.get(name);
      if (truth === undefined) {
        truth = this.find(at, delivered, expiredAfter);
        this.known.set(name, truth);
      }
      return truth;
    };
  }

  private find(at: number, delivered: ReadonlySet<number>, expiredAfter: number | null): Truth | null {
    if (delivered.size === 0) return null;
    const { story } = this.models[at] as Model;
    const isWhole = delivered.size === story.length;
    // A stream of which nothing arrived is not known, and nobody asks about it.
    const heard = new Set([...delivered].map((happening) => story[happening]?.stream));
    if (this.promises.api && heard.size < Object.keys(this.tale.streams).length) return null;
    if (expiredAfter !== null) return this.expired(at, delivered, expiredAfter);
    if (this.promises.api && !isWhole) return this.repaired();
    return isWhole ? this.whole() : this.partly(at, delivered);
  }

  private whole(): Truth {
    const { statuses } = this.tale;
    return statuses === null ? this.wholeOfSeveral() : this.wholeOfOne(statuses);
  }

  /**
   * Answers make good for what was lost. Of several streams they skip what the shop or another payment would have met
   * between: where true orders end differently, or a person is asked, none of them is the one.
   */
  private repaired(): Truth {
    const { counted: _, ...truth } = this.whole();
    if (this.tale.statuses !== null) return truth;
    const ends = this.models.map((_model, at) => this.inOrder(at, null, null).world.state);
    const isOpen = ends.some(({ attention }) => attention.length > 0);
    return { ...truth, endings: isOpen ? null : [...new Set(ends.map(({ status }) => status))] };
  }

  private wholeOfOne(statuses: string[]): Truth {
    const inOrder = this.inOrder(0, null, null);
    const { contract, api } = this.promises;
    return {
      endings: [statuses.at(-1) as string],
      // By the table alone, what comes first leads the order through what it may never have been in.
      passed:
        contract === 'unordered' && !api
          ? Object.keys(this.machine.statuses)
          : [...statuses, ...inOrder.passed],
      last: this.models[0]?.story.at(-1) ?? null,
      counted: countedEffects(this.machine, inOrder.world),
    };
  }

  private wholeOfSeveral(): Truth {
    // Where each stream says one thing, any order may be the true one: what all of them leave to a person must be.
    const isStrict = sizeOf(this.tale) === Object.keys(this.tale.streams).length;
    const inOrder = this.models.map((_, at) => this.inOrder(at, null, null));
    return this.truthBy(inOrder, isStrict);
  }

  /** Nobody is asked: any of the orders in which it may have happened counts. */
  private partly(at: number, delivered: ReadonlySet<number>): Truth {
    const inOrder = this.models.map((_, other) =>
      this.inOrder(other, this.sameIn(at, other, delivered), null),
    );
    return this.truthBy(inOrder, false);
  }

  /** The same happenings in another of the models, which has them in another order. */
  private sameIn(at: number, other: number, delivered: ReadonlySet<number>): ReadonlySet<number> {
    if (at === other) return delivered;
    const names = namesOf(this.models[at] as Model);
    const places = namesOf(this.models[other] as Model);
    return new Set([...delivered].map((happening) => places.indexOf(names[happening] as string)));
  }

  private expired(at: number, delivered: ReadonlySet<number>, after: number): Truth {
    const { api } = this.promises;
    // Without an API nothing shows which of several streams was first.
    const models = api ? [at] : [...this.models.keys()];
    const inOrder = models.flatMap((one) => {
      const arrived = api ? null : this.sameIn(at, one, delivered);
      const end = this.models[one]?.story.length ?? 0;
      return [this.inOrder(one, arrived, after), this.inOrder(one, arrived, end)];
    });
    const isOpen = inOrder.some(({ world }) => world.state.attention.length > 0);
    return {
      endings: isOpen ? null : [...new Set(inOrder.map(({ world }) => world.state.status))],
      passed: Object.keys(this.machine.statuses),
      last: null,
      expired: true,
    };
  }

  /** What is right, by true orders of arrival: the first that asks nobody. Where all ask, so must others if `isStrict`. */
  private truthBy(inOrder: InOrder[], isStrict: boolean): Truth {
    const [right, ...others] = inOrder.filter(({ world }) => world.state.attention.length === 0);
    const counted = right === undefined ? [] : countedEffects(this.machine, right.world);
    // What runs in some true order and not in another is not missing anywhere.
    const both = others.map(({ world }) => new Set(countedEffects(this.machine, world)));
    return {
      endings: right === undefined ? (isStrict ? [] : null) : [right.world.state.status],
      // Another stream may lead the order through more than any true order shows.
      passed: Object.keys(this.machine.statuses),
      last: null,
      counted: counted.filter((effect) => both.every((one) => one.has(effect))),
    };
  }

  /** These arrive as they happen, and are answered at once; a deadline that runs after so many passes. */
  private inOrder(at: number, delivered: ReadonlySet<number> | null, expireAfter: number | null): InOrder {
    const name = `${at} ${delivered === null ? '' : nameOf(delivered)} ${expireAfter}`;
    const known = this.played.get(name) ?? this.play(at, delivered, expireAfter);
    this.played.set(name, known);
    return known;
  }

  private play(at: number, delivered: ReadonlySet<number> | null, expireAfter: number | null): InOrder {
    const model = this.models[at] as Model;
    const copies = onceOf(model).filter(({ happening }) => delivered?.has(happening) !== false);
    let world = newWorld(model, copies, START);
    const passed = [world.state.status];
    for (let happening = 0; ; happening++) {
      if (happening === expireAfter) world = passDeadline(model, world);
      if (happening === model.story.length) return { world: endOf(model, world, copies), passed };
      world = act(model, world, { do: 'happen' });
      const copy = world.left.findIndex((one) => one.happening === happening);
      if (copy >= 0) world = rest(model, act(model, world, { do: 'deliver', copies: [copy] }));
      passed.push(world.state.status);
    }
  }
}

interface InOrder {
  world: World;
  /** The statuses the order was in. */
  passed: string[];
}

const nameOf = (delivered: ReadonlySet<number>): string => [...delivered].sort((a, b) => a - b).join();

/** Each happening by its stream and its number there: the same in every model of a tale. */
function namesOf({ story }: Model): string[] {
  const counts: Record<string, number> = {};
  return story.map(({ stream }) => {
    counts[stream] = (counts[stream] ?? 0) + 1;
    return `${stream} ${counts[stream]}`;
  });
}

function passDeadline(model: Model, world: World): World {
  const { deadline } = world.state;
  if (deadline?.phase !== 'waiting' || dueAt(world.state) !== deadline.at) return world;
  return rest(model, act(model, world, { do: 'wake' }));
}

export const onceOf = ({ story }: Model): Copy[] =>
  story.map((_, happening) => ({ happening, id: `${happening}` }));

export const twiceOf = (model: Model): Copy[] => [
  ...onceOf(model),
  ...onceOf(model).map(({ happening }) => ({ happening, id: `${happening}.again` })),
];
