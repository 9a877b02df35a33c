/**
 * Reading a machine's table: cells, the statuses a type leads to, and the shortest paths an answer may be
 * inferred along. What is derived from a machine is remembered beside it, since a machine never changes.
 */
import type { Cell, IgnoreCell, Machine, ReviewCell, SimpleCell, StayCell } from './machine.ts';

export type ResolvedCell =
  | { kind: 'step'; status: string; fromElse: boolean }
  | { kind: 'ignore'; reason: string; fromElse: boolean }
  | { kind: 'stay'; reason: string; effects: readonly string[]; fromElse: boolean }
  | { kind: 'review'; reason: string; fromElse: boolean }
  | { kind: 'absent' };

/** The row of a type, if the machine has one; `constructor` is a word like any other. */
export function rowOf(machine: Machine, type: string): Record<string, Cell> | undefined {
  return Object.hasOwn(machine.on, type) ? machine.on[type] : undefined;
}

/** The cell of (status, type) for an own or other event; `absent` when neither it nor `else` is written. */
export function cellOf(machine: Machine, status: string, type: string, own: boolean): ResolvedCell {
  const row = rowOf(machine, type);
  if (row === undefined) return { kind: 'absent' };
  const named = row[status];
  const cell = named ?? row['else'];
  if (cell === undefined) return { kind: 'absent' };
  return resolve(simple(cell, own), named === undefined);
}

function resolve(cell: SimpleCell, fromElse: boolean): ResolvedCell {
  if (typeof cell === 'string') return { kind: 'step', status: cell, fromElse };
  if (isIgnore(cell)) return { kind: 'ignore', reason: cell.ignore, fromElse };
  if (isReview(cell)) return { kind: 'review', reason: cell.review, fromElse };
  return { kind: 'stay', reason: cell.stay, effects: cell.effects, fromElse };
}

const isIgnore = (cell: IgnoreCell | ReviewCell | StayCell): cell is IgnoreCell => 'ignore' in cell;
const isReview = (cell: ReviewCell | StayCell): cell is ReviewCell => 'review' in cell;

function simple(cell: Cell, own: boolean): SimpleCell {
  if (typeof cell === 'string' || !('own' in cell)) return cell;
  return own ? cell.own : cell.other;
}

interface Derived {
  leadsTo: Map<string, Set<string>>;
  paths: Map<string, Path | null>;
}
const derived = new WeakMap<Machine, Derived>();

function derivedOf(machine: Machine): Derived {
  let found = derived.get(machine);
  if (found === undefined) {
    found = { leadsTo: new Map(), paths: new Map() };
    derived.set(machine, found);
  }
  return found;
}

const NONE: ReadonlySet<string> = new Set();

/** The statuses that a type's cells step to, whoever it is about. */
export function leadsTo(machine: Machine, type: string): ReadonlySet<string> {
  const row = rowOf(machine, type);
  if (row === undefined) return NONE;
  const known = derivedOf(machine).leadsTo;
  let statuses = known.get(type);
  if (statuses === undefined) {
    statuses = new Set();
    for (const cell of Object.values(row))
      for (const own of [true, false]) {
        const one = simple(cell, own);
        if (typeof one === 'string') statuses.add(one);
      }
    known.set(type, statuses);
  }
  return statuses;
}

export interface Path {
  target: string;
  /** Statuses that lie on every shortest path, in order, without the first and the last. */
  passed: string[];
}

/**
 * The shortest way by the table from a status to one that `type` leads to, or null: none, or several nearest
 * targets. Never over a step back. With `overPayments` false never across a step of a payment; with it never where
 * an `order.*` type, which no payment tells of, has to be crossed: nobody has said that the order was shipped.
 */
export function pathTo(machine: Machine, from: string, type: string, overPayments: boolean): Path | null {
  const known = derivedOf(machine).paths;
  const name = `${from}\n${type}\n${overPayments}`;
  let path = known.get(name);
  if (path === undefined) {
    path = findKnownPath(machine, from, type, overPayments);
    known.set(name, path);
  }
  return path;
}

function findKnownPath(machine: Machine, from: string, type: string, overPayments: boolean): Path | null {
  const targets = leadsTo(machine, type);
  if (!overPayments) {
    const next = edges(machine, (crossed) => !crossed.startsWith('payment.'));
    return findPath(next, from, targets)?.path ?? null;
  }
  const any = findPath(
    edges(machine, () => true),
    from,
    targets,
  );
  const told = findPath(
    edges(machine, (crossed) => crossed === type || !crossed.startsWith('order.')),
    from,
    targets,
  );
  if (any === null || told === null) return null;
  // Equally short ones count together: what lies on every one of them was passed.
  return told.steps === any.steps ? any.path : told.path;
}

function findPath(
  next: Map<string, Set<string>>,
  from: string,
  targets: ReadonlySet<string>,
): { path: Path; steps: number } | null {
  const layers: string[][] = [[from]];
  const depth = new Map([[from, 0]]);
  for (;;) {
    const layer = layers.at(-1) as string[];
    const [reached, ...others] = layer.filter((status) => targets.has(status) && status !== from);
    if (others.length > 0) return null;
    if (reached !== undefined)
      return {
        path: { target: reached, passed: onEvery(next, layers, reached) },
        steps: layers.length - 1,
      };
    const following: string[] = [];
    for (const status of layer)
      for (const to of next.get(status) ?? [])
        if (!depth.has(to)) {
          depth.set(to, layers.length);
          following.push(to);
        }
    if (following.length === 0) return null;
    layers.push(following);
  }
}

/** Walks back from the target; a layer with one status left is on every shortest path. */
function onEvery(next: Map<string, Set<string>>, layers: string[][], target: string): string[] {
  const passed: string[] = [];
  let later = new Set([target]);
  for (let depth = layers.length - 2; depth > 0; depth--) {
    const here = (layers[depth] as string[]).filter((status) =>
      [...(next.get(status) ?? [])].some((to) => later.has(to)),
    );
    if (here.length === 1) passed.unshift(here[0] as string);
    later = new Set(here);
  }
  return passed;
}

function edges(machine: Machine, mayCross: (type: string) => boolean): Map<string, Set<string>> {
  const next = new Map<string, Set<string>>();
  for (const status of Object.keys(machine.statuses))
    for (const type of Object.keys(machine.on)) {
      if (machine.stepsBack.includes(type)) continue;
      if (!mayCross(type)) continue;
      const cell = cellOf(machine, status, type, true);
      if (cell.kind === 'step' && cell.status !== status)
        next.set(status, (next.get(status) ?? new Set()).add(cell.status));
    }
  return next;
}
