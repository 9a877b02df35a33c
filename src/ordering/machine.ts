/**
 * A machine is the explicit transition table a team writes (R25). It is plain data, so that it can be
 * checked, drawn, versioned, stored and carried in a workflow's history. This file owns its shape and the few
 * words (`ignore`, `review`, `stay`) it is written with; `compile-machine.ts` checks it.
 */

/** What happens to an event of some type while the order is in some status. A string is the next status. */
export type SimpleCell<S extends string = string> = S | IgnoreCell | ReviewCell | StayCell;
/** `own`: the event names no payment, or the bearer, or there is none yet. `other`: a second payment. */
export interface SplitCell<S extends string = string> {
  own: SimpleCell<S>;
  other: SimpleCell<S>;
}
export type Cell<S extends string = string> = SimpleCell<S> | SplitCell<S>;
export interface IgnoreCell {
  ignore: string;
}
export interface ReviewCell {
  review: string;
}
export interface StayCell {
  stay: string;
  effects: string[];
}

/** Changes nothing; the reason is kept with the event. */
export const ignore = (reason: string): IgnoreCell => ({ ignore: reason });
/** A person decides; the stream's later events wait. */
export const review = (reason: string): ReviewCell => ({ review: reason });
/** The status stays, the named effects run. */
export const stay = (reason: string, effects: string[]): StayCell => ({ stay: reason, effects });

/** One row of the table: the cell per status, and `else` for the statuses not named. */
export type Row<S extends string = string> = { [K in S]?: Cell<NoInfer<S>> } & { else?: Cell<NoInfer<S>> };

/** A late rule, for an event below the version that was applied: see docs/ordering.md. */
export type LateRule = 'ignore' | 'alert' | 'ask' | ReviewCell | { effects: string[] };

export interface StatusDefinition {
  /** Runs `after` the status was entered, e.g. `24h`; asks the provider first, then steps its type. */
  deadline?: { after: string; type: string; unasked?: 'review' | 'act' };
  /** Effects requested on entry, by name. */
  effects?: string[];
}

export interface EffectPolicy<S extends string = string> {
  /** What one run is counted by: the order, the event's fact, or one of its facts (`facts.refund`). */
  once: 'order' | 'event' | `facts.${string}`;
  /** What to do when an answer shows that the status was passed unseen. */
  whenPassed: 'run' | 'skip';
  /** Waits while any gap or ask of the order is open. */
  sensitive?: boolean;
  /** Dropped, with a record, when the order is in none of these any more. */
  validIn?: S[];
}

export interface MachineDefinition<S extends string = string> {
  name: string;
  version: number;
  initial: NoInfer<S>;
  statuses: Record<S, StatusDefinition>;
  effects: Record<string, EffectPolicy<NoInfer<S>>>;
  on: Record<string, Row<NoInfer<S>>>;
  late?: Record<string, { [K in NoInfer<S>]?: LateRule }>;
  /** Types that may overtake a gap where their cell is a status. */
  ahead?: string[];
  /** Types that take an order back to an earlier status for real; never passed over by inference. */
  stepsBack?: string[];
  /** What an absent cell means. Without it every cell must be written. */
  unlisted?: 'ask' | 'review' | 'ignore';
  /** Statuses that this version calls otherwise: `{ old: 'new' }`. */
  renamed?: Record<string, NoInfer<S>>;
}

/** Declares a machine; the statuses are inferred, so a mistyped one is refused at its place by the editor. */
export function defineMachine<const S extends string>(
  definition: MachineDefinition<S>,
): MachineDefinition<S> {
  return definition;
}

/** A checked machine with its durations parsed: what the core works with and what is stored. Plain JSON. */
export interface Machine {
  name: string;
  version: number;
  initial: string;
  statuses: Record<string, { deadline?: MachineDeadline; effects: string[] }>;
  effects: Record<string, EffectPolicy>;
  on: Record<string, Record<string, Cell>>;
  late: Record<string, Record<string, LateRule>>;
  ahead: string[];
  stepsBack: string[];
  unlisted: 'ask' | 'review' | 'ignore' | null;
  renamed: Record<string, string>;
}
export interface MachineDeadline {
  afterMs: number;
  type: string;
  unasked: 'review' | 'act';
}
