/** Machines by chance that the compiler takes, built from numbers so that a failing one shrinks to a small table. */
import fc from 'fast-check';
import { compileMachine } from '../../../src/ordering/compile-machine.ts';
import type { Machine, MachineDefinition, SimpleCell } from '../../../src/ordering/machine.ts';

export const TYPES = [
  'order.created',
  'payment.captured',
  'order.cancelled',
  'payment.refunded',
  'order.shipped',
  'payment.authorized',
  'refund.failed',
  'dispute.opened',
];

export interface MachineInput {
  statuses: number;
  types: number;
  /** What each cell holds, row by row, `else` last. */
  cells: number[];
  effects: { once: number; status: number; sensitive: boolean; run: boolean }[];
  /** A type whose deadline each status has, if that type leads anywhere from there. */
  deadlines: (number | null)[];
  ahead: number[];
  stepsBack: number[];
  late: { type: number; status: number; rule: number }[];
  unlisted: number;
}

export const machines: fc.Arbitrary<MachineInput> = fc.record({
  statuses: fc.integer({ min: 2, max: 6 }),
  types: fc.integer({ min: 2, max: TYPES.length }),
  cells: fc.array(fc.nat(99), { minLength: 10, maxLength: 56 }),
  effects: fc.array(
    fc.record({ once: fc.nat(3), status: fc.nat(5), sensitive: fc.boolean(), run: fc.boolean() }),
    { maxLength: 4 },
  ),
  deadlines: fc.array(fc.option(fc.nat(7)), { maxLength: 6 }),
  ahead: fc.array(fc.nat(7), { maxLength: 2 }),
  stepsBack: fc.array(fc.nat(7), { maxLength: 2 }),
  late: fc.array(fc.record({ type: fc.nat(7), status: fc.nat(5), rule: fc.nat(4) }), { maxLength: 3 }),
  unlisted: fc.nat(2),
});

export function machineOf(input: MachineInput): Machine {
  const compiled = compileMachine(definitionOf(input));
  if ('problems' in compiled) throw new Error(`the machine was not taken: ${compiled.problems.join('; ')}`);
  return compiled.machine;
}

const ONCE = ['order', 'event', 'facts.refund', 'facts.other'] as const;
const UNLISTED = ['ask', 'review', 'ignore'] as const;

function definitionOf(input: MachineInput): MachineDefinition {
  const statuses = Array.from({ length: input.statuses }, (_, n) => `s${n}`);
  const types = TYPES.slice(0, input.types);
  const effects = input.effects.map((_, n) => `effect${n}`);
  const statusAt = (n: number): string => statuses[n % statuses.length] as string;
  const typeAt = (n: number): string => types[n % types.length] as string;

  const on = Object.fromEntries(
    types.map((type, row) => [type, rowOf(input, { row, statuses, effects, statusAt })]),
  );
  const leads = (type: string, status: string): boolean =>
    /^"s|^\{"review/.test(JSON.stringify(on[type]?.[status] ?? null));
  const moves = new Set(
    types.filter((type) =>
      statuses.some((status) => /"s\d/.test(JSON.stringify(on[type]?.[status] ?? null))),
    ),
  );
  return {
    name: 'order',
    version: 1,
    initial: 's0',
    statuses: Object.fromEntries(
      statuses.map((status, n) => {
        const due = input.deadlines[n];
        const type = due == null ? null : typeAt(due);
        return [
          status,
          {
            effects: effects.filter((_, at) => statusAt(input.effects[at]?.status ?? 0) === status),
            ...(type !== null && leads(type, status)
              ? { deadline: { after: '1h', type, unasked: n % 2 === 0 ? 'act' : 'review' } }
              : {}),
          },
        ];
      }),
    ),
    effects: Object.fromEntries(
      input.effects.map(({ once, sensitive, run }, n) => [
        `effect${n}`,
        { once: ONCE[once % ONCE.length] ?? 'order', whenPassed: run ? 'run' : 'skip', sensitive },
      ]),
    ),
    on,
    late: lateOf(input, { statusAt, typeAt, effects }),
    ahead: [...new Set(input.ahead.map(typeAt))].filter((type) => moves.has(type)),
    stepsBack: [...new Set(input.stepsBack.map(typeAt))],
    unlisted: UNLISTED[input.unlisted % UNLISTED.length] ?? 'ask',
  } as MachineDefinition;
}

interface Names {
  row: number;
  statuses: string[];
  effects: string[];
  statusAt: (n: number) => string;
}

/** The first row leads through all statuses, so that each can be reached. */
function rowOf(
  { cells }: MachineInput,
  { row, statuses, effects, statusAt }: Names,
): Record<string, unknown> {
  const all: Record<string, unknown> = {};
  for (const [column, status] of [...statuses, 'else'].entries()) {
    const next = statuses[column + 1];
    if (row === 0 && next !== undefined) {
      all[status] = next;
      continue;
    }
    const code = cells[(row * (statuses.length + 1) + column) % cells.length] ?? 0;
    const cell = cellOf(code, { effects, statusAt });
    if (cell !== null) all[status] = cell;
  }
  return all;
}

function cellOf(code: number, { effects, statusAt }: Pick<Names, 'effects' | 'statusAt'>): unknown {
  const simple = (n: number): SimpleCell => {
    const kind = n % 6;
    if (kind === 3) return { ignore: 'by chance' };
    if (kind === 4) return { review: 'by chance' };
    if (kind === 5) return { stay: 'by chance', effects: effects.slice(0, n % 3) };
    return statusAt(Math.floor(n / 6));
  };
  if (code % 5 === 0) return null;
  return code % 7 === 0 ? { own: simple(code), other: simple(code * 31 + 5) } : simple(code);
}

function lateOf(
  { late }: MachineInput,
  {
    statusAt,
    typeAt,
    effects,
  }: { statusAt: Names['statusAt']; typeAt: Names['statusAt']; effects: string[] },
): Record<string, Record<string, unknown>> {
  const rules: Record<string, Record<string, unknown>> = {};
  for (const { type, status, rule } of late) {
    const all = ['ignore', 'alert', 'ask', { review: 'late' }, { effects }];
    rules[typeAt(type)] = { ...rules[typeAt(type)], [statusAt(status)]: all[rule] };
  }
  return rules;
}
