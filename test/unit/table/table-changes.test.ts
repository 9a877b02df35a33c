/**
 * Every change of one cell of the demo's table is refused by a story, or is harmless for a reason that is written down
 * here. The stories are those of `each-status` beside it, in
 * memory; `inorder scenario run` plays them on the real stack as well.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { order } from '../../../machines/order.ts';
import { playPure } from '../../../src/dev/scenario/pure/play-pure.ts';
import { compileMachine } from '../../../src/ordering/compile-machine.ts';
import type { Machine } from '../../../src/ordering/machine.ts';
import { changesOf, type TableChange } from './changes.ts';
import { oneOrderStories, type TouchingStory } from './one-order-stories.ts';

/** Why changes that no story refuses do no harm. */
const HARMLESS: { reason: string; is: (name: string) => boolean }[] = [
  {
    // 204 changes: the six types that have a cell there (payment.authorized, .captured, .failed, .cancelled,
    // dispute.opened, .lost), each ignored or led to each other status.
    reason:
      'In new and awaiting_payment no payment has moved the order yet, and in payment_failed the one that did came to ' +
      'nothing and bears it no more: there every payment is its own, and what is written for another is never read.',
    is: (name) => / in (?:new|awaiting_payment|payment_failed) \(other\)/.test(name),
  },
];

let stories: TouchingStory[] = [];
beforeAll(async () => {
  stories = await oneOrderStories();
}, 120_000);

const compiled = compileMachine(order) as { machine: Machine };
const changes = changesOf(compiled.machine);

describe("the cells of the demo's table", () => {
  it('are as the stories say', async () => {
    for (const { story } of stories) expect(await playPure(story), story.scenario.name).toEqual([]);
  });

  it('are all met in some story', () => {
    const touched = new Set(stories.flatMap((one) => [...one.touched]));
    const statuses = Object.keys(compiled.machine.statuses);
    for (const type of Object.keys(compiled.machine.on))
      for (const status of statuses) expect(touched).toContain(`${type} ${status}`);
  });

  it.each(Object.keys(compiled.machine.on))(
    'cannot be changed in the row of %s without a story that says so',
    { timeout: 120_000 },
    async (type) => {
      const unnoticed: string[] = [];
      for (const change of changes.filter((one) => one.type === type))
        if (!(await isRefused(change)) && harmless(change) === undefined) unnoticed.push(change.name);
      expect(unnoticed).toEqual([]);
    },
  );

  it('are harmless to change in less than a tenth of all ways', () => {
    const share = changes.filter((one) => harmless(one) !== undefined).length / changes.length;
    expect(changes.length).toBeGreaterThan(3_000);
    expect(share).toBeLessThan(0.1);
  });
});

const harmless = ({ name }: TableChange) => HARMLESS.find(({ is }) => is(name))?.reason;

async function isRefused(change: TableChange): Promise<boolean> {
  for (const { story } of stories.filter((one) => touches(one, change)))
    if ((await playPure(story, { table: change.table })).length > 0) return true;
  return false;
}

/** The end of a row is met wherever its type is. */
function touches({ touched }: TouchingStory, { type, status }: TableChange): boolean {
  if (status !== null) return touched.has(`${type} ${status}`);
  return [...touched].some((cell) => cell.startsWith(`${type} `));
}
