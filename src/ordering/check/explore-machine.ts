/**
 * The model checker as people use it: one machine under each contract, with and without an API, told by one stream and
 * by several. Every story up to so many events, and beyond that a sample, drawn by chance from a seed.
 */
import type { Machine } from '../machine.ts';
import type { Contract } from '../state.ts';
import { exploreTale, isTellable, sampleTale, sizeOfStory } from './explore-tale.ts';
import type { Depth, Figures, TaleResult } from './explore-tale.ts';
import { notePair } from './prove-contract.ts';
import { chance } from './chance.ts';
import { ALL, isAll, severalOf, sizeOf, taleByChance, talesOf } from './tales.ts';
import type { StreamSet, Tale } from './tales.ts';
import type { CounterexampleStory } from './tell.ts';
import type { Promises } from './told-tale.ts';

export interface ExploreOptions {
  /** Default: all three. */
  contracts?: readonly Contract[];
  /** Whether the provider can be asked; default: both. */
  apis?: readonly boolean[];
  /** Default: one stream that tells all; each kind of object by itself; two payments beside the order. */
  streams?: readonly StreamSet[];
  /** The longest stories, in events. */
  events?: number;
  /** Stories up to so many events are all looked at, unless the time is over before. */
  complete?: number;
  /** How many longer ones are drawn by chance in each run. */
  samples?: number;
  seed?: number;
  /** How long all runs may take, and the clock: without it only the numbers above count. */
  budget?: { now: () => number; ms: number };
  onProgress?: (run: MachineRun, is: { done: boolean }) => void;
}

export interface MachineRun extends Promises, Figures {
  streams: StreamSet;
  /** The shortest story that goes wrong. */
  counterexample: CounterexampleStory | null;
  /** Every story of up to so many events was looked at, in every way; of the next longer ones this share. */
  complete: number;
  partly: number;
  /** Longer stories, drawn by chance, and the length of the longest. */
  sampled: { events: number; stories: number };
  /** Pairs of types for which arrival decides whether a person is asked; never how the order ends. */
  pairs: [string, string][];
}

const CONTRACTS: readonly Contract[] = ['sequence', 'monotonic', 'unordered'];
const EVENTS = 6;
const COMPLETE = 3;
const SAMPLES = 200;
/** More worlds than that in one order of a story: what is left of it is for the sample. */
const MOST_WORLDS = 20_000;
const WAYS = 10;

export function exploreMachine(machine: Machine, options: ExploreOptions = {}): MachineRun[] {
  const { contracts = CONTRACTS, apis = [true, false], streams = [ALL, ...severalOf(machine)] } = options;
  const plan = contracts.flatMap((contract) =>
    apis.flatMap((api) => streams.map((set): [Promises, StreamSet] => [{ contract, api }, set])),
  );
  const { budget } = options;
  const end = budget === undefined ? Infinity : budget.now() + budget.ms;
  return plan.map(([promises, set], at) => {
    // What one run leaves of its time the next ones share.
    const share = budget === undefined ? Infinity : (end - budget.now()) / (plan.length - at);
    return new Run(machine, promises, set, options, share).play();
  });
}

class Run {
  private readonly run: MachineRun;
  private readonly machine: Machine;
  private readonly options: ExploreOptions;
  private readonly ms: number;
  private readonly started: number;

  constructor(machine: Machine, promises: Promises, streams: StreamSet, options: ExploreOptions, ms: number) {
    this.machine = machine;
    this.options = options;
    this.ms = ms;
    this.started = options.budget?.now() ?? 0;
    this.run = {
      ...promises,
      streams,
      states: 0,
      endings: 0,
      wrong: 0,
      review: 0,
      asks: 0,
      counterexample: null,
      complete: 0,
      partly: 0,
      sampled: { events: 0, stories: 0 },
      pairs: [],
    };
  }

  play(): MachineRun {
    const { events = EVENTS, complete = this.options.budget === undefined ? COMPLETE : events } =
      this.options;
    this.completeUpTo(Math.min(events, complete));
    if (this.run.complete < events) this.sample(events);
    this.options.onProgress?.(this.run, { done: true });
    return this.run;
  }

  private completeUpTo(most: number): void {
    for (let size = 1; size <= most; size++) {
      const tales = this.talesOf(size);
      for (const [at, tale] of tales.entries()) {
        if (this.isOver(0.6)) return;
        for (const depth of depthsOf(this.run, tale)) {
          const result = exploreTale(this.machine, this.run, tale, depth);
          this.add(result);
          if (result.isOpen) notePair(this.run.pairs, tale);
        }
        this.run.partly = (at + 1) / tales.length;
        this.options.onProgress?.(this.run, { done: false });
      }
      this.run.complete = size;
      this.run.partly = 0;
    }
  }

  private talesOf(size: number): Tale[] {
    const { machine, run } = this;
    return talesOf(machine, run.streams, size).filter((tale) => isTellable(machine, run, tale));
  }

  private sample(events: number): void {
    const { machine, run, options } = this;
    const random = chance(options.seed ?? 1);
    const most = options.samples ?? (options.budget === undefined ? SAMPLES : Infinity);
    const shortest = run.complete + 1;
    // Not every tale that is drawn is as long as it was to be, or can be told under this contract.
    for (let draws = 0; run.sampled.stories < most && draws < 20 * most && !this.isOver(1); draws++) {
      const size = shortest + random(events - shortest + 1);
      const tale = taleByChance(machine, run.streams, size, random);
      if (sizeOf(tale) < shortest || !isTellable(machine, run, tale)) {
        if (draws > 2_000 && run.sampled.stories === 0) return;
        continue;
      }
      this.add(sampleTale(machine, run, tale, { ways: WAYS, random }));
      run.sampled.stories += 1;
      run.sampled.events = Math.max(run.sampled.events, sizeOf(tale));
      options.onProgress?.(run, { done: false });
    }
  }

  private isOver(share: number): boolean {
    const { budget } = this.options;
    return budget !== undefined && budget.now() - this.started > share * this.ms;
  }

  private add(result: TaleResult): void {
    const { run } = this;
    for (const figure of ['states', 'endings', 'wrong', 'review', 'asks'] as const)
      run[figure] += result[figure];
    const { counterexample: known } = run;
    const found = result.counterexample;
    if (found !== null && (known === null || sizeOfStory(found) < sizeOfStory(known)))
      run.counterexample = found;
  }
}

/** Short stories with copies, and with answers that lag or fail; all with losses, timers and a deadline. */
function depthsOf({ contract, api, streams }: MachineRun, tale: Tale): Depth[] {
  const size = sizeOf(tale);
  const isSingle = isAll(streams) || Object.keys(tale.streams).length === 1;
  const wakes = contract === 'sequence' && size <= 3 ? 1 : 0;
  const depth: Depth = {
    isFirst: false,
    isLossy: true,
    isTwice: size <= (api ? 2 : 3),
    isPrompt: api && !isSingle && size > 2,
    worlds: MOST_WORLDS,
    allowance: { bad: 0, wakes, deadlines: 1 },
  };
  if (!api || size > 2) return [depth];
  return [depth, { ...depth, isTwice: false, allowance: { bad: 1, wakes, deadlines: 0 } }];
}
