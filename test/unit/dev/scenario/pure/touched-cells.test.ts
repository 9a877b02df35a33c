/** Which cells a story touches: what the core read to judge, no more and no less. */
import { describe, expect, it } from 'vitest';
import { order } from '../../../../../machines/order.ts';
import { playAgainst, touchedBy } from '../../../../../src/dev/scenario/pure/against.ts';
import { cellsOf } from '../../../../../src/dev/scenario/pure/touched-cells.ts';
import { scenarioSchema } from '../../../../../src/dev/scenario/format/scenario.ts';
import { compileMachine } from '../../../../../src/ordering/compile-machine.ts';

const story = (deliveries: unknown[], more: object = {}) => ({
  scenario: scenarioSchema.parse({
    name: 'a story',
    order: '1042',
    sources: { shop: { provider: 'sandbox', first: '1' } },
    deliveries,
    expect: {},
    ...more,
  }),
  file: 'story.yaml',
  machine: order,
});

const captured = { source: 'shop', type: 'payment.captured', object: 'p1' };

describe('touched cells', () => {
  it('are those that were met, by the half of a split cell, and those under else', async () => {
    const touched = await touchedBy(
      story([
        captured,
        { source: 'shop', type: 'payment.refunded', object: 'p2', facts: { refund: 're_1' } },
        { source: 'shop', type: 'order.created' },
      ]),
    );
    expect([...touched].sort()).toEqual([
      'order.created paid',
      'payment.captured new',
      'payment.refunded paid other',
    ]);
  });

  it('leave the rest of the table', async () => {
    const machine = compiledOrder();
    const { cells, untouched, played, leftOut } = await playAgainst(machine, [
      story([captured]),
      story([captured], { faults: [{ kill: 'worker', at: 'order.applied' }] }),
    ]);
    expect({ played, leftOut }).toEqual({ played: 1, leftOut: ['story.yaml'] });
    expect(cells).toEqual(cellsOf(machine));
    expect(untouched).not.toContain('payment.captured new');
    expect(untouched.length).toBeGreaterThan(cells.length - 4);
  });
});

function compiledOrder() {
  const compiled = compileMachine(order);
  if ('problems' in compiled) throw new Error(compiled.problems.join('\n'));
  return compiled.machine;
}
