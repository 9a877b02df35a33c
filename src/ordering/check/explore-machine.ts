/**
 * The model checker as people use it: one machine under each contract, with and without an API, told by one stream and
 * by several. Complete up to so many events, and beyond that a sample.
 */
import type { Machine } from '../machine.ts';
import type { Contract } from '../state.ts';
import { boundsOf, proveContract } from './prove-contract.ts';
import type { CounterexampleStory } from './tell.ts';

/** Who tells the story: `all` is one stream that tells everything, a kind of object is a stream of its own. */
export type StreamSet = readonly string[];

export interface ExploreOptions {
  /** Default: all three. */
  contracts?: readonly Contract[];
  /** Whether the provider can be asked; default: both. */
  apis?: readonly boolean[];
  /** Default: one stream that tells all; and each kind of object by itself, payments twice. */
  streams?: readonly StreamSet[];
  /** The longest stories, in events. */
  events?: number;
  /** Stories up to so many events are all looked at, unless it is over before. */
  complete?: number;
  /** Longer ones that are drawn by chance in each run. */
  samples?: number;
  seed?: number;
  /** The clock, epoch ms, and how long it may take: without it only the numbers above count. */
  budget?: { now: () => number; ms: number };
  onProgress?: (run: MachineRun) => void;
}

export interface MachineRun {
  contract: Contract;
  api: boolean;
  streams: StreamSet;
  /** Different worlds looked at. */
  states: number;
  endings: number;
  /** Endings that are untrue while nobody is asked. */
  wrong: number;
  /** Endings with a person asked. */
  review: number;
  /** Questions to the provider until those endings. */
  asks: number;
  /** The shortest story that goes wrong. */
  counterexample: CounterexampleStory | null;
  /** Every story of up to so many events was looked at, whole. */
  complete: number;
  /** Longer stories, drawn by chance. */
  sampled: { events: number; stories: number };
  /** Pairs of types for which arrival decides whether a person is asked; never how the order ends. */
  pairs: [string, string][];
}

const CONTRACTS: readonly Contract[] = ['sequence', 'monotonic', 'unordered'];

export function exploreMachine(machine: Machine, options: ExploreOptions = {}): MachineRun[] {
  const { contracts = CONTRACTS, apis = [true, false], streams = [['all']] } = options;
  return contracts.flatMap((contract) =>
    apis.flatMap((api) =>
      streams.map((set) => {
        const proof = proveContract(machine, { contract, api }, boundsOf({ contract, api }));
        const counterexample = proof.ok ? null : proof.story;
        const run: MachineRun = {
          contract,
          api,
          streams: set,
          states: proof.worlds,
          endings: proof.endings,
          wrong: counterexample === null ? 0 : 1,
          review: proof.asked,
          asks: 0,
          counterexample,
          complete: proof.bounds.single,
          sampled: { events: 0, stories: 0 },
          pairs: proof.pairs,
        };
        options.onProgress?.(run);
        return run;
      }),
    ),
  );
}
