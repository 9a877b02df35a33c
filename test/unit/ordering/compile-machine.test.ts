import { describe, expect, it } from 'vitest';
import { order } from '../../../machines/order.ts';
import { compileMachine } from '../../../src/ordering/compile-machine.ts';
import { defineMachine, ignore, review, stay } from '../../../src/ordering/machine.ts';
import type { MachineDefinition } from '../../../src/ordering/machine.ts';

/** A machine in which nothing is wrong; each test spoils one place. */
function sound() {
  return {
    name: 'order',
    version: 1,
    initial: 'new',
    statuses: {
      new: { deadline: { after: '24h', type: 'order.expired' } },
      paid: { effects: ['fulfil'] },
      cancelled: {},
    },
    effects: { fulfil: { once: 'order', whenPassed: 'run', validIn: ['paid'] } },
    on: {
      'payment.captured': { new: 'paid', else: { own: ignore('captured before'), other: review('twice') } },
      'order.expired': { new: 'cancelled', else: ignore('in time') },
      'order.cancelled': { new: 'cancelled', paid: stay('kept', ['fulfil']), cancelled: ignore('again') },
    },
    late: { 'payment.captured': { cancelled: review('late') } },
    ahead: ['order.cancelled'],
    stepsBack: [],
  };
}
type Sound = ReturnType<typeof sound>;

/** A config file runs without a type checker, so a test may spoil what types would refuse. */
function problemsAfter(spoil: (machine: Record<string, never> & Sound) => unknown): string[] {
  const machine = sound();
  spoil(machine as never);
  const compiled = compileMachine(machine as unknown as MachineDefinition);
  return 'problems' in compiled ? compiled.problems : [];
}
/** Puts a value where types would not let it. */
function put(target: object, key: string, value: unknown): void {
  (target as Record<string, unknown>)[key] = value;
}

describe('a sound machine', () => {
  it('compiles, with its durations in milliseconds and its table as it was written', () => {
    const compiled = compileMachine(sound() as MachineDefinition);
    expect(compiled).toMatchObject({
      machine: {
        name: 'order',
        statuses: {
          new: { deadline: { afterMs: 86_400_000, type: 'order.expired', unasked: 'review' }, effects: [] },
          paid: { effects: ['fulfil'] },
          cancelled: { effects: [] },
        },
        on: { 'order.expired': { new: 'cancelled', else: { ignore: 'in time' } } },
        unlisted: null,
      },
    });
  });

  it('is plain JSON afterwards, because it is stored and carried in history', () => {
    const compiled = compileMachine(order);
    if ('problems' in compiled) throw new Error(compiled.problems.join('\n'));
    expect(JSON.parse(JSON.stringify(compiled.machine))).toEqual(compiled.machine);
  });

  it('is not changed by compiling it', () => {
    const definition = sound();
    compileMachine(definition as MachineDefinition);
    expect(definition).toEqual(sound());
  });
});

describe("the demo's table", () => {
  const compiled = compileMachine(order);
  const machine = 'machine' in compiled ? compiled.machine : null;

  it('has no problem', () => {
    expect(compiled).not.toHaveProperty('problems');
  });

  it('splits a capture by whose payment it is', () => {
    expect(machine?.on['payment.captured']?.['authorized']).toEqual({
      own: 'paid',
      other: { review: 'a second payment of the same order' },
    });
  });

  it('never cancels an order because a payment was abandoned', () => {
    expect(machine?.on['payment.cancelled']?.['else']).toHaveProperty('ignore');
  });
});

describe('refused, with the place and what to do', () => {
  const cases: [title: string, spoil: Parameters<typeof problemsAfter>[0], expected: string | RegExp][] = [
    [
      'a mistyped next status',
      (m) => put(m.on['payment.captured'], 'new', 'payed'),
      "on['payment.captured'].new: 'payed' is not a status. Did you mean 'paid'?",
    ],
    [
      'a mistyped status at the head of a cell',
      (m) => put(m.on['order.expired'], 'pain', 'paid'),
      "on['order.expired'].pain: is not a status. Did you mean 'paid'?",
    ],
    [
      'a mistyped status inside a split cell',
      (m) => put(m.on['order.expired'], 'paid', { own: 'paidd', other: 'new' }),
      "on['order.expired'].paid.own: 'paidd' is not a status. Did you mean 'paid'?",
    ],
    [
      'an unknown initial status',
      (m) => put(m, 'initial', 'nwe'),
      "initial: 'nwe' is not a status. Did you mean 'new'?",
    ],
    [
      'half a split cell',
      (m) => put(m.on['order.expired'], 'paid', { own: 'paid' }),
      /^on\['order\.expired'\]\.paid\.other: must be a status/,
    ],
    [
      'an effect nobody defined',
      (m) => put(m.statuses.paid, 'effects', ['fulfill']),
      "statuses.paid.effects[0]: 'fulfill' has no policy under 'effects'. Did you mean 'fulfil'?",
    ],
    [
      'an unknown effect of a stay',
      (m) => put(m.on['order.cancelled'], 'paid', stay('kept', ['refund'])),
      "on['order.cancelled'].paid.effects[0]: 'refund' has no policy under 'effects'.",
    ],
    [
      'a deadline whose type has no row',
      (m) => put(m.statuses.new.deadline, 'type', 'order.expire'),
      "statuses.new.deadline.type: 'order.expire' is not a type of the table. Did you mean 'order.expired'?",
    ],
    [
      'a late rule for an unknown type',
      (m) => put(m, 'late', { 'payment.capture': {} }),
      "late['payment.capture']: 'payment.capture' is not a type of the table. Did you mean 'payment.captured'?",
    ],
    [
      'a late rule in an unknown status',
      (m) => put(m, 'late', { 'payment.captured': { canceled: 'ask' } }),
      "late['payment.captured'].canceled: 'canceled' is not a status. Did you mean 'cancelled'?",
    ],
    [
      'a late rule that is none',
      (m) => put(m, 'late', { 'payment.captured': { paid: 'aks' } }),
      /^late\['payment\.captured'\]\.paid: must be 'ignore', 'alert', 'ask'/,
    ],
    [
      'an unknown type that may overtake',
      (m) => put(m, 'ahead', ['order.canceled']),
      "ahead[0]: 'order.canceled' is not a type of the table. Did you mean 'order.cancelled'?",
    ],
    [
      'an unknown step back',
      (m) => put(m, 'stepsBack', ['refund.failed']),
      "stepsBack[0]: 'refund.failed' is not a type of the table.",
    ],
    [
      'a status nothing leads to',
      (m) => put(m.statuses, 'lost', {}),
      "statuses.lost: no cell leads here from 'new'; add one or remove the status",
    ],
    [
      'an absent cell while nothing says what absent means',
      (m) => put(m.on, 'order.shipped', { paid: 'paid' }),
      "on['order.shipped']: nothing is written for new, cancelled; write the cells, an 'else', or set 'unlisted'",
    ],
    [
      'an effect without once',
      (m) => put(m.effects.fulfil, 'once', undefined),
      /^effects\.fulfil\.once: must say what one run is counted by.*it is missing.*entered again/,
    ],
    [
      'a once that counts by nothing',
      (m) => put(m.effects.fulfil, 'once', 'facts.'),
      /^effects\.fulfil\.once: .*it is 'facts\.'/,
    ],
    [
      'an effect without whenPassed',
      (m) => put(m.effects.fulfil, 'whenPassed', undefined),
      /^effects\.fulfil\.whenPassed: .*it is missing/,
    ],
    [
      'an effect that is valid in an unknown status',
      (m) => put(m.effects.fulfil, 'validIn', ['paid', 'shiped']),
      "effects.fulfil.validIn[1]: 'shiped' is not a status.",
    ],
    [
      'an effect that would be dropped where it is asked for',
      (m) => put(m.effects.fulfil, 'validIn', ['new']),
      "effects.fulfil.validIn: 'paid' asks for it and is not listed, so it would be dropped at once",
    ],
    [
      'an effect nobody asks for',
      (m) => put(m.effects, 'sendReceipt', { once: 'order', whenPassed: 'run' }),
      'effects.sendReceipt: no status, stay or late rule asks for it',
    ],
    [
      'a deadline without a unit',
      (m) => put(m.statuses.new.deadline, 'after', '24'),
      "statuses.new.deadline.after: must be a duration such as '30s', '15m', '24h' or '7d'; it is '24'",
    ],
    [
      'a deadline of a bare number',
      (m) => put(m.statuses.new.deadline, 'after', 24),
      /^statuses\.new\.deadline\.after: must be a duration.*it is 24$/,
    ],
    [
      'a deadline of no time',
      (m) => put(m.statuses.new.deadline, 'after', '0s'),
      /^statuses\.new\.deadline\.after: must be a duration/,
    ],
    [
      'a deadline that its own cell ignores',
      (m) => put(m.on['order.expired'], 'new', ignore('no')),
      /^statuses\.new\.deadline\.type: .*the deadline does nothing$/,
    ],
    [
      'a reserved word as a status',
      (m) => put(m.statuses, 'else', {}),
      'statuses.else: is a reserved word; choose another name',
    ],
    [
      "a status named like an object's own part",
      (m) => put(m.statuses, 'constructor', {}),
      'statuses.constructor: is a reserved word; choose another name',
    ],
    [
      'a type that overtakes to nowhere',
      (m) => {
        put(m.on, 'order.noted', { else: ignore('a note') });
        put(m, 'ahead', ['order.noted']);
      },
      "ahead: 'order.noted' leads to no status anywhere, so it can overtake nothing",
    ],
    [
      'a status with capitals',
      (m) => put(m.statuses, 'Paid', {}),
      "statuses.Paid: names are made of small letters, digits and '_'",
    ],
    [
      'a mistyped key of the machine',
      (m) => put(m, 'steps_back', []),
      "machine.steps_back: is not known here. Did you mean 'stepsBack'?",
    ],
    [
      'a mistyped key of a status',
      (m) => put(m.statuses.paid, 'effect', []),
      "statuses.paid.effect: is not known here. Did you mean 'effects'?",
    ],
    [
      'a mistyped key of an effect',
      (m) => put(m.effects.fulfil, 'sensitve', true),
      "effects.fulfil.sensitve: is not known here. Did you mean 'sensitive'?",
    ],
    [
      'a word that was not called',
      (m) => put(m.on['order.expired'], 'else', ignore),
      /call the word with its reason, as ignore\('why'\)$/,
    ],
    [
      'an ignore without a reason',
      (m) => put(m.on['order.expired'], 'else', ignore(' ')),
      /^on\['order\.expired'\]\.else: needs a reason people can read/,
    ],
    [
      'a version that is no whole number',
      (m) => put(m, 'version', 1.5),
      'version: must be a whole number from 1; it is 1.5',
    ],
    [
      'a name that cannot be part of an address',
      (m) => put(m, 'name', 'My Order'),
      /^name: must be small letters/,
    ],
    [
      'an unknown meaning of absent',
      (m) => put(m, 'unlisted', 'guess'),
      "unlisted: must be 'ask', 'review' or 'ignore'; it is 'guess'",
    ],
    [
      'a status renamed to an unknown one',
      (m) => put(m, 'renamed', { payed: 'piad' }),
      "renamed.payed: 'piad' is not a status. Did you mean 'paid'?",
    ],
    [
      'a status renamed that still exists',
      (m) => put(m, 'renamed', { new: 'paid' }),
      'renamed.new: is still a status of this version',
    ],
    ['a machine without statuses', (m) => put(m, 'statuses', undefined), 'statuses: is missing'],
  ];
  it.each(cases)('%s', (_, spoil, expected) => {
    expect(problemsAfter(spoil)).toContainEqual(
      typeof expected === 'string' ? expected : expect.stringMatching(expected),
    );
  });

  it('everything at once, not only the first', () => {
    const problems = problemsAfter((m) => {
      put(m, 'initial', 'start');
      put(m.statuses.new.deadline, 'after', 'soon');
      put(m.effects.fulfil, 'whenPassed', 'maybe');
    });
    expect(problems).toHaveLength(3);
  });

  it.each([undefined, null, 'order', [], 42])('what is no machine at all (%s)', (definition) => {
    expect(compileMachine(definition as unknown as MachineDefinition)).toHaveProperty('problems');
  });
});

// Compiled by `npm run check`, never called: each mistake must be an error at its own place in the editor.
export function mistakesTheEditorRefuses(): void {
  const statuses = { new: {}, paid: { effects: ['fulfil'] } } as const;
  const effects = { fulfil: { once: 'order', whenPassed: 'run' } } as const;
  defineMachine({
    name: 'order',
    version: 1,
    // @ts-expect-error a mistyped status where an order begins
    initial: 'nwe',
    statuses,
    effects,
    on: {},
  });
  defineMachine({
    name: 'order',
    version: 1,
    initial: 'new',
    statuses,
    effects,
    on: {
      // @ts-expect-error a mistyped next status
      'payment.captured': { new: 'payed' },
      // @ts-expect-error a mistyped status at the head of a cell
      'payment.failed': { nwe: 'paid' },
      // @ts-expect-error a mistyped status inside a split cell
      'payment.refunded': { paid: { own: 'newt', other: ignore('another') } },
      'order.created': { new: 'paid', else: ignore('again') },
    },
  });
  defineMachine({
    name: 'order',
    version: 1,
    initial: 'new',
    statuses,
    // @ts-expect-error a mistyped status an effect is valid in
    effects: { fulfil: { once: 'order', whenPassed: 'run', validIn: ['piad'] } },
    on: {},
  });
  defineMachine({
    name: 'order',
    version: 1,
    initial: 'new',
    statuses,
    effects,
    on: { 'order.created': { new: 'paid' } },
    // @ts-expect-error a mistyped status of a late rule
    late: { 'order.created': { piad: 'ask' } },
  });
}
