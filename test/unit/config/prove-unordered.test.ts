import { describe, expect, it } from 'vitest';
import { order } from '../../../machines/order.ts';
import { checkConfig } from '../../../src/config/check.ts';
import { ignore } from '../../../src/index.ts';
import type { Cell } from '../../../src/index.ts';

/** What a capture does after the refund decides whether the table holds in any order. */
const machine = (name: string, afterRefund: Cell) => ({
  name,
  version: 1,
  initial: 'new',
  statuses: { new: {}, paid: {}, refunded: {} },
  effects: {},
  on: {
    'payment.captured': { new: 'paid', paid: ignore('captured before'), refunded: afterRefund },
    'payment.refunded': { new: 'refunded', paid: 'refunded', refunded: ignore('refunded before') },
  },
});
const safe = machine('safe', ignore('refunded since'));
const unsafe = machine('unsafe', 'paid');

const source = (of: string, more: object = {}) => ({
  provider: 'stripe',
  environment: 'live',
  machine: of,
  unknownTypes: 'archive',
  secrets: [{ id: 'a', value: 'whsec_a' }],
  ...more,
});

function problemsOf(sources: Record<string, unknown>): string[] {
  const checked = checkConfig({ machines: [safe, unsafe], sources, effects: {} }, '/c.ts', {});
  return 'problems' in checked ? checked.problems : [];
}

describe('events in any order and nobody to ask', () => {
  it('are taken if the table was proved to hold', () => {
    expect(problemsOf({ stripe: source('safe') })).toEqual([]);
  });

  it('are refused if it does not, with the shortest story that goes wrong, told once', () => {
    const [first, second, ...others] = problemsOf({
      a: source('unsafe'),
      b: source('unsafe'),
      c: source('safe'),
    });
    expect(others).toEqual([]);
    expect(first).toBe(
      "sources.a: its events come in any order, and without 'apiKey' nobody can be asked; the table of 'unsafe' " +
        "does not hold then. Give 'apiKey', change the table, or state a 'contract' that its events keep.\n" +
        '    payment.refunded arrives before payment.captured: the order ends paid, the truth is refunded\n' +
        '      in truth  payment.captured, payment.refunded\n' +
        '      arrives   payment.refunded  new → refunded  (applied)\n' +
        '                payment.captured  refunded → paid  (applied)\n' +
        '      ends      paid: the order is paid and should be refunded\n' +
        "      change    on['payment.refunded'].new leads to refunded, then on['payment.captured'].refunded leads " +
        'to paid: change one of these cells so that every order of arrival leads to refunded, or write ' +
        "review('…') where it cannot be known; or let the provider be asked (an API key)",
    );
    expect(second).toMatch(/^sources\.b: .* The story is that of sources\.a\.$/);
  });

  it('are refused, too, where versions only rise and the demo’s table is used: four events, of which one is lost', () => {
    const call = { run: () => Promise.resolve(), keyTtl: '24h' };
    const effects = Object.fromEntries(Object.keys(order.effects).map((name) => [name, call]));
    const sources = { stripe: source('order', { contract: 'monotonic' }) };
    const checked = checkConfig({ machines: [order], sources, effects }, '/c.ts', {});
    const problems = 'problems' in checked ? checked.problems : [];
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(
      /^sources\.stripe: its versions only rise, so that a lost event shows nowhere, and without 'apiKey' nobody can be asked/,
    );
    expect(problems[0]).toContain('the order ends disputed, the truth is charged_back');
  }, 60_000);

  it('are no matter where somebody can be asked, nor where versions rise and the table holds', () => {
    expect(problemsOf({ stripe: source('unsafe', { apiKey: 'rk_a' }) })).toEqual([]);
    expect(problemsOf({ stripe: source('safe', { contract: 'monotonic' }) })).toEqual([]);
    expect(problemsOf({ stripe: source('unsafe', { contract: 'monotonic' }) })).toHaveLength(1);
  });
});
