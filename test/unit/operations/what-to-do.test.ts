import { describe, expect, test } from 'vitest';
import { whatToDo } from '../../../src/operations/what-to-do.ts';
import { withContested } from '../../../src/ordering/contested.ts';
import { attentionOf } from '../../../src/ordering/attention.ts';
import { freshState } from '../../../src/ordering/fresh-state.ts';
import { noteEffects } from '../../../src/ordering/trouble.ts';
import { demoMachine } from '../dispatch/demo-machine.ts';
import { anOrder, HINTS, PAY } from '../ordering/an-order.ts';

const key = (effect: string) => `order/live/1 0/${effect}`;

/** An order in that status with one trouble for each end. */
function troubled(status: string, ...ends: [effect: string, trouble: string][]) {
  const state = { ...freshState(demoMachine, { machine: 'order', environment: 'live', id: '1 0' }), status };
  const noted = ends.map(([effect, trouble]) => ({
    key: key(effect),
    name: effect.split('/')[0] ?? '',
    trouble,
  }));
  return noteEffects(demoMachine, state, noted, 5).state;
}

const commandsOf = (status: string, ...ends: [string, string][]) => {
  const state = troubled(status, ...ends);
  return state.attention.map((one) => whatToDo(state, demoMachine, one).commands);
};
const line = (action: string, effect: string) => `inorder effects ${action} '${key(effect)}' --reason '…'`;

describe('what to do about an effect that needs a person', () => {
  test('one that failed: retry, skip, or confirm', () => {
    const all = ['retry', 'skip', 'confirm'].map((action) => line(action, 'releaseStock/order'));
    expect(commandsOf('cancelled', ['releaseStock/order', 'failed: the receiver answered 422'])).toEqual([
      all,
    ]);
  });

  test('one that may have been done: first whether it was', () => {
    const all = ['confirm', 'retry', 'skip'].map((action) => line(action, 'releaseStock/order'));
    expect(commandsOf('cancelled', ['releaseStock/order', 'uncertain: no answer'])).toEqual([all]);
  });

  test('no retry where the order has left what the effect is valid in', () => {
    const [commands] = commandsOf('shipped', ['fulfil/order', 'failed: x']);
    expect(commands).toEqual([line('skip', 'fulfil/order'), line('confirm', 'fulfil/order')]);
  });

  test('each of several with the same words is named by its own key', () => {
    const commands = commandsOf(
      'refunded',
      ['bookRefund/re_2', 'failed: x'],
      ['bookRefund/re_1', 'failed: x'],
    );
    expect(commands.map(([first]) => first)).toEqual([
      line('retry', 'bookRefund/re_1'),
      line('retry', 'bookRefund/re_2'),
    ]);
  });

  test('no command for one that a restored store does not have', () => {
    const state = troubled('cancelled', ['releaseStock/order', 'uncertain: the store has no such effect']);
    const [attention] = state.attention;
    expect(attention && whatToDo(state, demoMachine, attention)).toMatchObject({
      commands: [],
      advice: expect.stringContaining('restored') as string,
    });
  });
});

describe('what to do about something that belongs to another order', () => {
  test('the event that names it: a status the table leads to, or ignore', () => {
    const order = anOrder({ pay: HINTS }, undefined, (state) => withContested(state, { [PAY]: 'A' }));
    const captured = order.say(PAY, 'payment.captured', null);
    const [attention] = order.state.attention;
    const remedy = attention && whatToDo(order.state, demoMachine, attention);
    expect(remedy?.event).toBe(captured.event);
    expect(remedy?.commands).toEqual([
      expect.stringContaining(`--stream ${PAY} --event ${captured.event} --apply paid`),
      expect.stringContaining('--ignore'),
    ]);
  });
});

test('what to do about a deadline that nobody can be asked about: let it act, or leave the order', () => {
  const due = { status: 'awaiting_payment', type: 'order.expired', at: 5, unasked: 'review' as const };
  const state = {
    ...troubled('awaiting_payment'),
    deadline: { ...due, phase: 'review' as const, pending: [] },
  };
  const [attention] = attentionOf(state);
  const name = "inorder orders resolve 'order/live/1 0'";
  expect(attention && whatToDo(state, demoMachine, attention).commands).toEqual([
    `${name} --apply cancelled --reason '…'`,
    `${name} --ignore --reason '…'`,
  ]);
});
