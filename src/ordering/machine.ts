/**
 * A machine is the explicit transition table a team writes (R25). It is plain data, so that it can be
 * checked, drawn, versioned, stored and carried in a workflow's history. This file owns its shape and the few
 * words (`ignore`, `review`, `stay`) it is written with; `compile-machine.ts` checks it.
 */

/** What happens to an event of some type while the order is in some status. A string is the next status. */
export type SimpleCell<S extends string = string, E extends string = string> =
  S | IgnoreCell | ReviewCell | StayCell<E>;
/** `own`: the event names no payment, or the bearer, or there is none yet. `other`: a second payment. */
export interface SplitCell<S extends string = string, E extends string = string> {
  own: SimpleCell<S, E>;
  other: SimpleCell<S, E>;
}
export type Cell<S extends string = string, E extends string = string> = SimpleCell<S, E> | SplitCell<S, E>;
export interface IgnoreCell {
  ignore: string;
}
export interface ReviewCell {
  review: string;
}
export interface StayCell<E extends string = string> {
  stay: string;
  effects: readonly E[];
}

/** Changes nothing; the reason is kept with the event. */
export const ignore = (reason: string): IgnoreCell => ({ ignore: reason });
/** A person decides; the stream's later events wait. */
export const review = (reason: string): ReviewCell => ({ review: reason });
/** The status stays, the named effects run. */
export const stay = <const E extends string>(reason: string, effects: readonly E[]): StayCell<E> => ({
  stay: reason,
  effects,
});

/** One row of the table: the cell per status, and `else` for the statuses not named. */
export type Row<S extends string = string, E extends string = string> = { [K in S]?: Cell<S, E> } & {
  else?: Cell<S, E>;
};

/** A late rule, for an event below the version that was applied: see docs/ordering.md. */
export type LateRule<E extends string = string> =
  'ignore' | 'alert' | 'ask' | ReviewCell | { effects: readonly E[] };

export interface StatusDefinition<E extends string = string, T extends string = string> {
  /** Runs `after` the status was entered, e.g. `24h`; asks the provider first, then steps its type. */
  deadline?: { after: string; type: T; unasked?: 'review' | 'act' };
  /** Effects requested on entry, by name. */
  effects?: readonly E[];
}

export interface EffectPolicy<S extends string = string> {
  /** What one run is counted by: the order, the event's fact, or one of its facts (`facts.refund`). */
  once: 'order' | 'event' | `facts.${string}`;
  /** What to do when an answer shows that the status was passed unseen. */
  whenPassed: 'run' | 'skip';
  /** Waits while any gap or ask of the order is open. */
  sensitive?: boolean;
  /** Dropped, with a record, when the order is in none of these any more. */
  validIn?: readonly S[];
}

/**
 * Each name is inferred from the one place that defines it: statuses (`S`) from `statuses`, effects (`E`) from
 * `effects`, types (`T`) from `on`. Everywhere else a mistyped one is an error at its place.
 */
export interface MachineDefinition<
  S extends string = string,
  E extends string = string,
  T extends string = string,
  N extends string = string,
> {
  name: N;
  version: number;
  initial: NoInfer<S>;
  statuses: Record<S, StatusDefinition<NoInfer<E>, NoInfer<T>>>;
  effects: Record<E, EffectPolicy<NoInfer<S>>>;
  on: Record<T, Row<NoInfer<S>, NoInfer<E>>>;
  late?: { [K in NoInfer<T>]?: { [L in NoInfer<S>]?: LateRule<NoInfer<E>> } };
  /** Types that may overtake a gap where their cell is a status. */
  ahead?: readonly NoInfer<T>[];
  /** Types that take an order back to an earlier status for real; never passed over by inference. */
  stepsBack?: readonly NoInfer<T>[];
  /** What an absent cell means. Without it every cell must be written. */
  unlisted?: 'ask' | 'review' | 'ignore';
  /** Statuses that this version calls otherwise: `{ old: 'new' }`. */
  renamed?: Record<string, NoInfer<S>>;
}

/** Declares a machine. A mistyped name is refused at its place by the editor. */
export function defineMachine<
  const S extends string,
  const E extends string,
  const T extends string,
  const N extends string,
>(definition: MachineDefinition<S, E, T, N>): MachineDefinition<S, E, T, N> {
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
