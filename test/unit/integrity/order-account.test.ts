import { expect, test } from 'vitest';
import { order } from '../../../machines/order.ts';
import { compileMachine } from '../../../src/ordering/compile-machine.ts';
import { freshState } from '../../../src/ordering/fresh-state.ts';
import type { OrderState } from '../../../src/ordering/state.ts';
import type { EntryToCompare, OrderToCompare } from '../../../src/store/integrity-orders.ts';
import { OrderAccount } from '../../../src/integrity/order-account.ts';

const KEY = { machine: 'order', environment: 'live', id: '1042' };
const compiled = compileMachine(order);
if ('problems' in compiled) throw new Error(compiled.problems.join('\n'));
const { machine } = compiled;

/** What an account that is folded from these entries says. */
function fold(entries: Partial<EntryToCompare>[], more: Partial<OrderState> = {}): string[] {
  const state: OrderState = { ...freshState(machine, KEY), ...more };
  const row: OrderToCompare = {
    key: KEY,
    status: state.status,
    bearer: state.bearer,
    revision: entries.length,
    machineVersion: machine.version,
    state: Buffer.from(JSON.stringify(state)),
    attention: Buffer.from('[]'),
    attentionKinds: '',
    attentionSinceMs: null,
    dueAtMs: null,
    isWoken: false,
  };
  const seen: string[] = [];
  const account = new OrderAccount(
    row,
    (_, version) => (version === machine.version ? machine : undefined),
    (finding) => seen.push(finding.seen),
  );
  for (const [index, entry] of entries.entries())
    account.fold({
      id: String(index + 1),
      key: KEY,
      revision: index + 1,
      kind: 'step',
      stream: 'stripe/payment:pi_1',
      type: 'payment.captured',
      from: 'new',
      to: 'paid',
      machineVersion: machine.version,
      cause: null,
      ...entry,
    });
  account.endOfJournal();
  return seen;
}

const by = (payment: string | null, revision = 1): Pick<EntryToCompare, 'cause'> => ({
  cause: {
    seq: '7',
    source: 'stripe',
    event: 'evt_7',
    stored: {
      isSame: true,
      isOfOrder: true,
      outcome: 'applied',
      revision,
      payment,
      fact: 'f',
      facts: Buffer.from('{}'),
    },
  },
});

test('the payment of the last step carries the order', () => {
  expect(fold([by('pi_1')], { status: 'paid', bearer: 'pi_1' })).toEqual([]);
  expect(fold([by('pi_1')], { status: 'paid', bearer: 'pi_2' })).toEqual([
    'by its entries payment pi_1 carries the order, and its state says pi_2',
  ]);
  expect(fold([by('pi_1')], { status: 'paid' })).toEqual([
    'by its entries payment pi_1 carries the order, and its state says (none)',
  ]);
});

test('an event that names no payment leaves it; one that failed takes it off; a deadline leaves it', () => {
  const shipped = { ...by(null, 2), type: 'order.shipped', from: 'paid', to: 'shipped' };
  expect(fold([by('pi_1'), shipped], { status: 'shipped', bearer: 'pi_1' })).toEqual([]);
  const failed = { ...by('pi_1'), type: 'payment.failed', to: 'payment_failed' };
  expect(fold([failed], { status: 'payment_failed' })).toEqual([]);
  expect(fold([failed], { status: 'payment_failed', bearer: 'pi_1' })).toHaveLength(1);
  const expired: Partial<EntryToCompare> = {
    ...{ kind: 'deadline', stream: 'inorder/deadline', type: 'order.expired' },
    ...{ from: 'payment_failed', to: 'cancelled' },
  };
  expect(fold([failed, expired], { status: 'cancelled' })).toEqual([]);
});

test('which payment an answer named is not in the journal, and not compared', () => {
  expect(
    fold([by('pi_1'), { from: 'paid', to: 'refunded' }], { status: 'refunded', bearer: 'pi_2' }),
  ).toEqual([]);
});

test('an order that nothing moved stands where its machine begins', () => {
  expect(fold([])).toEqual([]);
  expect(fold([], { status: 'paid' })).toEqual(['its entries end in new, and the order stands at paid']);
});
