import type { WorkflowExecutionDescription } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startOrderSystem } from './order-system.ts';
import type { OrderSystem } from './order-system.ts';

let system: OrderSystem;
beforeAll(async () => {
  system = await startOrderSystem({
    configure: ({ sources }) => {
      // Nobody can be asked: what is missing stays missing, and becomes a person's.
      for (const source of sources.values()) {
        source.api = null;
        Object.assign(source.policy, { api: false, find: false, gapTimeoutMs: 100 });
      }
    },
  });
});
afterAll(() => system.world.cleanup());

const attributesOf = ({ typedSearchAttributes }: WorkflowExecutionDescription) =>
  Object.fromEntries(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]));

/** What the UI shows on a workflow's page without being asked for a payload. */
async function detailsOf(order: string): Promise<string> {
  const { currentDetails } = await system
    .handleOf(order)
    .query<{ currentDetails: string }>('__temporal_workflow_metadata');
  return currentDetails;
}

test("[R58] status, version, gap and attention of an order are read in Temporal's UI without opening a payload", async () => {
  const { newOrder, send, untilStatus, handleOf, client, environment } = system;
  const order = newOrder();
  const payment = `payment:pay-${order.id}`;
  await send(order.created());
  await untilStatus(order.id, 'awaiting_payment');
  order.failed();
  await send(order.say(payment, 'payment.captured', { amount: '4217', currency: 'EUR' }));
  await expect
    .poll(async () => attributesOf(await handleOf(order.id).describe()), { timeout: 20_000, interval: 100 })
    .toEqual(
      expect.objectContaining({
        InorderStatus: 'awaiting_payment',
        InorderAttention: ['gap'],
        InorderSource: ['payments', 'shop'],
      }),
    );
  const details = await detailsOf(order.id);
  expect(details).toContain('**Status: awaiting_payment**');
  expect(details).toMatch(/- \*\*gap\*\* payments\/payment:pay-\S+: version 1 never came \(since \d{4}-/);
  expect(details).toMatch(/- order\.expired is due \d{4}-/);
  expect(details).toContain(`- \`shop/order:${order.id}\`: version 1 · last order.created`);
  expect(details).toContain('waits for version 1 · holds payment.captured 2 (gap)');
  // Facts are for effects, not for whoever looks on.
  expect(details).not.toContain('4217');

  const description = await handleOf(order.id).describe();
  expect(await description.staticSummary()).toBe(`Order ${order.id} (demo), by the machine "order"`);
  // The list of orders that need a person is one query.
  const query = `WorkflowType = "order" AND TaskQueue = "${environment.taskQueue}" AND InorderAttention = "gap"`;
  await expect
    .poll(
      async () => {
        const found: string[] = [];
        for await (const { workflowId } of client.list({ query })) found.push(workflowId);
        return found;
      },
      { timeout: 20_000, interval: 200 },
    )
    .toEqual([system.idOf(order.id)]);

  const { events } = await handleOf(order.id).fetchHistory();
  const summaries = (events ?? []).flatMap(({ userMetadata }) => {
    const data = userMetadata?.summary?.data;
    return data == null ? [] : [JSON.parse(Buffer.from(data).toString('utf8')) as string];
  });
  expect(summaries).toContain('the earliest thing that is due');
});
