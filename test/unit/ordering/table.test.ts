import { describe, expect, test } from 'vitest';
import { order } from '../../../machines/order.ts';
import { compileMachine } from '../../../src/ordering/compile-machine.ts';
import { ignore } from '../../../src/ordering/machine.ts';
import { cellOf, leadsTo, pathTo } from '../../../src/ordering/table.ts';
import { demoMachine } from '../dispatch/demo-machine.ts';

describe('a cell', () => {
  test('is the status’s own before `else`, and says which of them it is', () => {
    expect(cellOf(demoMachine, 'new', 'order.created', true)).toEqual({
      kind: 'step',
      status: 'awaiting_payment',
      fromElse: false,
    });
    expect(cellOf(demoMachine, 'paid', 'order.created', true)).toMatchObject({
      kind: 'ignore',
      fromElse: true,
    });
  });

  test('is split by whose payment it is', () => {
    expect(cellOf(demoMachine, 'paid', 'payment.refunded', true)).toMatchObject({
      kind: 'step',
      status: 'refunded',
    });
    expect(cellOf(demoMachine, 'paid', 'payment.refunded', false)).toMatchObject({ kind: 'stay' });
  });

  test('is absent where neither is written, and for a type the machine does not know', () => {
    expect(cellOf(demoMachine, 'new', 'order.shipped', true).kind).toBe('absent');
    expect(cellOf(demoMachine, 'new', 'order.confirmed', true).kind).toBe('absent');
  });
});

describe('where a type leads', () => {
  test('is every status that its cells step to, whoever it is about', () => {
    expect([...leadsTo(demoMachine, 'payment.captured')]).toEqual(['paid']);
    expect([...leadsTo(demoMachine, 'refund.failed')]).toEqual(['paid']);
    expect([...leadsTo(demoMachine, 'order.confirmed')]).toEqual([]);
  });
});

describe('the shortest way to a status that a type leads to', () => {
  test('names what lies on every such way, in order', () => {
    expect(pathTo(demoMachine, 'new', 'payment.partially_refunded', true)).toEqual({
      target: 'partially_refunded',
      passed: ['paid'],
    });
    expect(pathTo(demoMachine, 'awaiting_payment', 'order.shipped', true)).toEqual({
      target: 'shipped',
      passed: ['paid'],
    });
  });

  test('names nothing where two are equally short', () => {
    expect(pathTo(demoMachine, 'new', 'payment.refunded', true)).toEqual({ target: 'refunded', passed: [] });
  });

  test('is none over a step back', () => {
    expect(pathTo(demoMachine, 'charged_back', 'order.shipped', true)).toBeNull();
    expect(pathTo(demoMachine, 'refunded', 'dispute.lost', true)).toBeNull();
  });

  test('is none where a payment would say that the order was shipped, or packed', () => {
    // A team has put a status between, and not said what a refund does there.
    const compiled = compileMachine({
      ...order,
      statuses: { ...order.statuses, packed: {} },
      on: {
        ...order.on,
        'order.packed': { paid: 'packed', else: ignore('too late') },
        'order.shipped': { ...order.on['order.shipped'], packed: 'shipped' },
      },
    });
    if ('problems' in compiled) throw new Error(compiled.problems.join('\n'));
    const { machine } = compiled;
    expect(pathTo(machine, 'packed', 'payment.refunded', true)).toBeNull();
    expect(pathTo(machine, 'packed', 'order.shipped', true)).toEqual({ target: 'shipped', passed: [] });
    expect(pathTo(machine, 'awaiting_payment', 'payment.partially_refunded', true)).toEqual({
      target: 'partially_refunded',
      passed: ['paid'],
    });
  });

  test('is none across a step of a payment for an answer that names none', () => {
    expect(pathTo(demoMachine, 'awaiting_payment', 'order.shipped', false)).toBeNull();
    expect(pathTo(demoMachine, 'new', 'order.cancelled', false)).toMatchObject({ target: 'cancelled' });
  });
});
