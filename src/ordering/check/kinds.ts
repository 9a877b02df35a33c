/** What a machine's types speak of, by their names: kinds of objects, payments, and facts that effects are counted by. */
import type { Machine } from '../machine.ts';
import { cellOf, leadsTo } from '../table.ts';

/** The kind of object that a type speaks of: its prefix. A refund is part of its payment. */
export function kindOf(machine: Machine, type: string): string {
  const prefix = type.split('.')[0] as string;
  return prefix === 'refund' && typesOf(machine).some((other) => other.startsWith('payment.'))
    ? 'payment'
    : prefix;
}

/** Types that a source may send: what a deadline steps is inorder's own word, and comes in its time. */
export function typesOf(machine: Machine): string[] {
  const deadlines = new Set(Object.values(machine.statuses).map(({ deadline }) => deadline?.type));
  return Object.keys(machine.on).filter((type) => !deadlines.has(type));
}

/** In the order of the table. */
export const kindsOf = (machine: Machine): string[] => [
  ...new Set(typesOf(machine).map((type) => kindOf(machine, type))),
];

const OF_A_PAYMENT: ReadonlySet<string> = new Set(['payment', 'refund', 'dispute']);

/** Whether events of the type name a payment: by their kind, or because their row tells one payment from another. */
export function namesPayment(machine: Machine, type: string): boolean {
  if (OF_A_PAYMENT.has(type.split('.')[0] as string)) return true;
  return Object.values(machine.on[type] ?? {}).some((cell) => typeof cell !== 'string' && 'own' in cell);
}

/** The facts that effects are counted by, as `refund`. */
export const countedFacts = (machine: Machine): string[] => [
  ...new Set(
    Object.values(machine.effects).flatMap(({ once }) =>
      once.startsWith('facts.') ? [once.slice('facts.'.length)] : [],
    ),
  ),
];

const toldNew = new WeakMap<Machine, Map<string, string[]>>();

/** The counted facts of which a type tells a new one each time: those that an effect of its cells is counted by. */
export function tellsNew(machine: Machine, type: string): string[] {
  const known = toldNew.get(machine) ?? new Map<string, string[]>();
  toldNew.set(machine, known);
  const names =
    known.get(type) ?? countedBy(machine, type).filter((name) => !repeats(machine, type).includes(name));
  known.set(type, names);
  return names;
}

/** The counted facts that a type only repeats: a refund that failed is one that its payment has told of. */
export const repeats = (machine: Machine, type: string): string[] =>
  countedFacts(machine).filter((name) => type.startsWith(`${name}.`) && kindOf(machine, type) !== name);

function countedBy(machine: Machine, type: string): string[] {
  const effects = new Set<string>();
  for (const status of leadsTo(machine, type))
    for (const effect of machine.statuses[status]?.effects ?? []) effects.add(effect);
  for (const status of Object.keys(machine.statuses))
    for (const own of [true, false]) {
      const cell = cellOf(machine, status, type, own);
      if (cell.kind === 'stay') for (const effect of cell.effects) effects.add(effect);
    }
  const counted = new Set<string | undefined>([...effects].map((effect) => machine.effects[effect]?.once));
  return countedFacts(machine).filter((name) => counted.has(`facts.${name}`));
}
