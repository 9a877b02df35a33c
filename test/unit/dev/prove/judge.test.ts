import { expect, it } from 'vitest';
import { judge } from '../../../../src/dev/prove/judge.ts';
import type { PlannedOrder } from '../../../../src/dev/prove/plan.ts';

function order(id: string, kind: PlannedOrder['kind']): PlannedOrder {
  const effects = [
    { name: 'fulfil', of: null, required: true },
    { name: 'sendReceipt', of: null, required: true },
  ];
  const story = { order: id, numericOrder: false, title: 'paid', happenings: [] };
  return {
    story: { ...story, truth: { status: 'paid', effects } },
    ...{ kind, startsAtMs: 0, seconds: [], steps: [], lost: [] },
  };
}
const done = (id: string, name: string, event: string) => ({
  ...{ key: `${event}/${name}`, name, order: id, of: null },
});

it('counts wrong ends and doubled, missing and groundless effects, those told in order apart', () => {
  const orders = [order('A', 'shuffled'), order('B', 'repeated'), order('C', 'in order')];
  const statuses: Record<string, string> = { A: 'cancelled', B: 'paid', C: 'paid' };
  const judgement = judge(orders, (id) => statuses[id] ?? '', [
    done('A', 'releaseStock', 'e1'),
    done('B', 'fulfil', 'e2'),
    done('B', 'fulfil', 'e2'),
    done('B', 'sendReceipt', 'e2'),
    done('B', 'sendReceipt', 'e3'),
    done('C', 'fulfil', 'e4'),
    done('C', 'sendReceipt', 'e4'),
  ]);
  expect(judgement.counts).toEqual({ wrong: 1, doubled: 2, missing: 2, groundless: 1 });
  expect(judgement.byKind['shuffled']).toEqual({ wrong: 1, doubled: 0, missing: 2, groundless: 1 });
  expect(judgement.inOrder).toEqual({ wrong: 0, doubled: 0, missing: 0, groundless: 0 });
  // Of the two, one came with another event: its id as a key would not have kept it back.
  expect(judgement.doubledByOthers).toBe(1);
  expect(judgement.orders.map(({ planned }) => planned.story.order)).toEqual(['A', 'B']);
});
