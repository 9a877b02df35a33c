import { describe, expect, it } from 'vitest';
import { order } from '../../../../machines/order.ts';
import { drawMermaid } from '../../../../src/ordering/check/draw-mermaid.ts';
import { drawTable } from '../../../../src/ordering/check/draw.ts';
import { summarise } from '../../../../src/ordering/check/summary.ts';
import { compileMachine } from '../../../../src/ordering/compile-machine.ts';
import { defineMachine, ignore, review, stay } from '../../../../src/ordering/machine.ts';
import type { Machine, MachineDefinition } from '../../../../src/ordering/machine.ts';

function compiled(definition: MachineDefinition): Machine {
  const result = compileMachine(definition);
  if ('problems' in result) throw new Error(result.problems.join('\n'));
  return result.machine;
}

const everyCell = compiled(
  defineMachine({
    name: 'order',
    version: 2,
    initial: 'new',
    statuses: {
      new: { deadline: { after: '24h', type: 'order.expired', unasked: 'act' } },
      paid: { effects: ['fulfil'] },
      cancelled: {},
    },
    effects: { fulfil: { once: 'order', whenPassed: 'run', sensitive: true, validIn: ['paid'] } },
    on: {
      'payment.captured': {
        new: 'paid',
        paid: { own: ignore('captured before'), other: review('a second payment') },
        cancelled: stay('kept', ['fulfil']),
      },
      'order.expired': { new: 'cancelled', else: ignore('in time') },
      'refund.failed': { cancelled: 'paid' },
    },
    late: { 'payment.captured': { cancelled: { effects: ['fulfil'] } } },
    ahead: ['order.expired'],
    stepsBack: ['refund.failed'],
    unlisted: 'review',
    renamed: { open: 'new' },
  }),
);

describe('the table as text', () => {
  it('shows every kind of cell, whose payment it is about, and what is not listed', () => {
    expect(drawTable(everyCell)).toBe(`order version 2, starts in new

payment.captured
  new        → paid
  paid       own ignore (captured before)
             other review (a second payment)
  cancelled  stay, run fulfil (kept)

order.expired
  new   → cancelled
  else  ignore (in time)

refund.failed
  cancelled  → paid
  else       ∅ not listed: a person decides

statuses
  new   after 24h order.expired, also when the provider cannot be asked
  paid  on entry fulfil

effects
  fulfil  once per order; run when passed; waits for gaps and asks; valid in paid

rules
  late payment.captured in cancelled  run fulfil
  may overtake a gap                  order.expired
  steps back                          refund.failed
  renamed open                        → new
`);
  });

  it("has a row for every type of the demo's machine and no line that a page could not hold", () => {
    const drawn = drawTable(compiled(order));
    for (const type of Object.keys(order.on)) expect(drawn).toContain(`\n${type}\n`);
    expect(Math.max(...drawn.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
  });
});

describe('the diagram', () => {
  it('has an edge for every step, marked where only one of two payments takes it', () => {
    expect(drawMermaid(everyCell)).toBe(`stateDiagram-v2
  [*] --> new
  new --> paid: payment.captured
  new --> cancelled: order.expired after 24h
  cancelled --> paid: refund.failed
`);
    expect(drawMermaid(compiled(order))).toContain('  authorized --> paid: payment.captured (own)\n');
  });
});

describe('the summary', () => {
  it('counts every cell of the table once', () => {
    expect(summarise(everyCell)).toMatchObject({
      statuses: 3,
      types: 3,
      cells: { step: 3, ignore: 2, stay: 1, review: 0, split: 1, unlisted: 2 },
    });
  });
});
