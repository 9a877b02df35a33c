/**
 * What the order workflow may call. `load`, `untaken` and `apply` are local activities (one MySQL round each);
 * `ask` and `runEffect` are ordinary activities beside the loop. Shapes only: the workflow imports this file as
 * types, the factories beside it implement it over their dependencies.
 */
import type { Machine } from '../src/ordering/machine.ts';
import type { Plan } from '../src/ordering/plan.ts';
import type {
  Answer,
  EffectRequest,
  EventOutcome,
  EventRef,
  JournalEntry,
  OrderEvent,
  OrderKey,
  OrderState,
  PersonsOrder,
} from '../src/ordering/state.ts';

/** An effect row that is not at its end, as the workflow's scheduler needs it. */
export interface OpenEffect {
  /** The row's number, as a decimal string. */
  id: string;
  key: string;
  name: string;
  /** Waits while a gap or an ask of the order is open. */
  sensitive: boolean;
  /** Epoch ms of the next attempt; null: at once. */
  nextAttemptAt: number | null;
}

export interface LoadInput {
  key: OrderKey;
}
export interface LoadResult {
  machine: Machine;
  /** null: the store has no such order yet. */
  state: OrderState | null;
  revision: number;
  effects: OpenEffect[];
  /** What the stored state makes the workflow do; null with `state`. */
  plan: Plan | null;
  settings: RunSettings;
}
/** How long and how far one run goes; from the worker's config, kept in history. */
export interface RunSettings {
  closeAfterMs: number;
  maxEventsPerRun: number;
}

export interface ApplyInput {
  key: OrderKey;
  /** The revision that was decided on. */
  revision: number;
  runId: string;
  state: OrderState;
  outcomes: EventOutcome[];
  journal: JournalEntry[];
  effects: EffectRequest[];
  /** (order, stream, version, fact) of the versioned events judged, so that twins are found. */
  news: { ref: EventRef; stream: string; version: string | null; fact: string }[];
  /** The earliest timer of the order, epoch ms: what the sweeper goes by. */
  dueAt: number | null;
  /** The version of the machine that decided; journalled. */
  machineVersion: number;
  /** Carried out with the decision, or neither is. */
  person?: PersonsOrder;
  /** When the store was last seen to have this revision, epoch ms; absent: not known. */
  knownAt?: number;
}

/**
 * What is stored, whether this call wrote it or found it. The workflow goes on with this and never with what it
 * computed (docs/decisions/stored-state-is-what-counts.md).
 */
export interface ApplyResult {
  /** true: written by this call or by an earlier attempt of the same decision. */
  applied: boolean;
  state: OrderState;
  revision: number;
  effects: OpenEffect[];
  /** When not applied: events found settled already (dropped), and events whose news is settled under another id. */
  settled: EventRef[];
  twins: EventRef[];
  /**
   * When not applied: what the decision named and belongs to another order, by `<source>/<ref>`. It is to be made
   * anew with this.
   */
  contests?: Record<string, string>;
  /** The store is behind this workflow, or never had a reference: it was restored. Nothing is applied. */
  restored: boolean;
  /**
   * Set when the store was restored and a person has named what was lost: the order goes back to what is stored.
   * These references are not there any more.
   */
  lost?: EventRef[];
  /** The run that wrote what is stored; null: nothing is. Another one than expected means two writers. */
  writer: string | null;
  /** Set when a person's order was judged and nothing written: in words why not; null: it was so already. */
  refused?: string | null;
  /** What `state` makes the workflow do next. */
  plan: Plan;
  /** The newest version of the machine that was entered. */
  newestMachine: number;
}

export interface UntakenInput {
  key: OrderKey;
  limit: number;
  /** Only rows after this one; without it from the first. */
  afterSeq?: string;
}

export interface AskInput {
  key: OrderKey;
  stream: string;
  n: number;
}
export interface FindInput {
  key: OrderKey;
  source: string;
}
/** The streams a provider says belong to the order; `unavailable` as in Answer. */
export type FindResult =
  | { kind: 'found'; source: string; streams: string[] }
  | { kind: 'unavailable'; source: string; error: string; retryAfterMs: number | null };

export interface RunEffectInput {
  id: string;
  key: string;
}
/** One attempt's end. Back-off is the workflow's timer, so it is told as a delay: clocks of workers differ. */
export type RunEffectResult =
  | { state: 'done' | 'dropped' | 'recorded' }
  | { state: 'pending'; delayMs: number; attempts: number; error: string }
  | { state: 'failed' | 'uncertain'; error: string };

export interface OrderActivities {
  load(input: LoadInput): Promise<LoadResult>;
  untaken(input: UntakenInput): Promise<OrderEvent[]>;
  apply(input: ApplyInput): Promise<ApplyResult>;
  ask(input: AskInput): Promise<Answer>;
  find(input: FindInput): Promise<FindResult>;
  runEffect(input: RunEffectInput): Promise<RunEffectResult>;
}
