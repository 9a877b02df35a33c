import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SandboxEvent } from '../../../src/dev/sandbox/world.ts';
import { runCli } from '../cli/run-cli.ts';
import { startOrderSystem } from './order-system.ts';
import type { OrderSystem } from './order-system.ts';

let system: OrderSystem;
beforeAll(async () => {
  system = await startOrderSystem();
});
afterAll(() => system.world.cleanup());

const variables = () => ({
  MYSQL_URL: system.environment.mysqlUrl,
  TEMPORAL_ADDRESS: system.environment.temporalAddress,
  INORDER_TASK_QUEUE: system.environment.taskQueue,
});

/** Sends the event with another order in it, or with none. */
function sendAs({ object, id, body }: SandboxEvent, order: string | undefined, as = id): Promise<number> {
  const told = JSON.parse(body) as Record<string, unknown>;
  return system.sendBody(object, as, JSON.stringify({ ...told, id: as, order }));
}

const unlinkedEvents = async (): Promise<string[]> => {
  const args = ['events', 'list', '--outcome', 'unlinked', '--json'];
  const { stdout } = await runCli(args, { env: variables() });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { event: string }).event);
};

const shown = async (id: string) => (await runCli(['orders', 'show', id], { env: variables() })).stdout;

describe('an event without an order', () => {
  test('[R11] is visible as unlinked, and linked when a later event tells the order of its payment', async () => {
    const { newOrder, send, untilStatus, outcomesOf, untilOutcome } = system;
    const order = newOrder();
    await send(order.created());
    const captured = order.captured();
    expect(await sendAs(captured, undefined)).toBe(202);
    expect(await unlinkedEvents()).toContain(captured.id);
    await untilStatus(order.id, 'awaiting_payment');

    const dispute = order.say(`dispute:dp-${order.id}`, 'dispute.opened', { dispute: 'dp' });
    const told = JSON.parse(dispute.body) as { object: object };
    const body = JSON.stringify({ ...told, object: { ...told.object, payment: `pay-${order.id}` } });
    expect(await system.sendBody(dispute.object, dispute.id, body)).toBe(202);
    await untilOutcome(order.id, captured.id, 'applied');
    expect(Object.keys(await outcomesOf(order.id))).toContain(captured.id);
    expect(await unlinkedEvents()).not.toContain(captured.id);
  });

  test('[R11] goes to its order at once when an earlier event has told it', async () => {
    const { newOrder, send, untilStatus } = system;
    const order = newOrder();
    await send(order.created());
    await send(order.say(`payment:pay-${order.id}`, 'payment.authorized'));
    await untilStatus(order.id, 'authorized');
    await sendAs(order.captured(), undefined);
    await untilStatus(order.id, 'paid');
  });

  test('[R11] that nobody wants is no gap: its number counts once its order is known', async () => {
    const { newOrder, send, untilStatus, untilOutcome } = system;
    const order = newOrder();
    const noted = order.say(`order:${order.id}`, 'order.note_added');
    await sendAs(noted, undefined);
    expect(await unlinkedEvents()).toContain(noted.id);
    const created = order.created();
    await send(created);
    await untilOutcome(order.id, noted.id, 'archived');
    await untilStatus(order.id, 'awaiting_payment');
    await untilOutcome(order.id, created.id, 'applied');
    expect((await system.journalOf(order.id)).map(({ kind }) => kind)).toEqual(['step']);
  });

  test('[R11] is linked when the provider tells the order of its object', async () => {
    const { newOrder, send, untilStatus, store } = system;
    const order = newOrder();
    await send(order.created());
    const captured = order.captured();
    await sendAs(captured, undefined);
    // Nobody else tells; as if it had waited long enough to be asked about.
    await store.write('UPDATE events SET received_at = received_at - INTERVAL 1 MINUTE WHERE event_id = ?', [
      captured.id,
    ]);
    await untilStatus(order.id, 'paid');
    expect(await unlinkedEvents()).not.toContain(captured.id);
  });
});

describe('a payment that names two orders', () => {
  /** Two orders; the payment of the first was captured, and then says that it is the second's. */
  async function twoOrders() {
    const { newOrder, send, untilStatus } = system;
    const [first, second] = [newOrder(), newOrder()];
    await send(first.created());
    await send(second.created());
    const captured = first.captured();
    await send(captured);
    await untilStatus(first.id, 'paid');
    await untilStatus(second.id, 'awaiting_payment');
    return { first, second, captured, env: variables() };
  }

  test('[R11] is never applied to the second: a person sees the conflict, and may settle it', async () => {
    const { first, second, captured, env } = await twoOrders();
    const again = `${captured.id}-again`;
    expect(await sendAs(captured, second.id, again)).toBe(202);
    await system.untilOutcome(second.id, again, 'review');
    expect(await system.orderOf(second.id)).toMatchObject({
      status: 'awaiting_payment',
      attention_kinds: ',conflict,',
    });
    expect(system.doneEffects(second.id)).toEqual([]);
    // The owner goes on as it was, and each of the two says what happened.
    expect(await system.orderOf(first.id)).toMatchObject({ status: 'paid', attention_kinds: '' });
    const named = `${captured.object} was named for two orders: first for ${first.id}, which has it, then for ${second.id}`;
    expect(await shown(first.id)).toContain(named);
    const text = await shown(second.id);
    expect(text).toContain(named);
    expect(text).toContain(`${captured.object} belongs to order ${first.id}, which was named first`);

    const command = text.split('\n').find((line) => line.includes('--ignore')) ?? '';
    const args = command.trim().split(' ').slice(1, -1).concat('a mistake of the shop', '--actor', 'ada');
    expect(await runCli(args, { env })).toMatchObject({ code: 0, stderr: '' });
    await system.untilOutcome(second.id, again, 'ignored');
    expect(await system.orderOf(second.id)).toMatchObject({
      status: 'awaiting_payment',
      attention_kinds: '',
    });
  });

  test('[R11] nor is a dispute of it that names the second, whatever the provider answers', async () => {
    const { first, second } = await twoOrders();
    const dispute = second.say(`dispute:dp-${second.id}`, 'dispute.opened', { dispute: 'dp' });
    const told = JSON.parse(dispute.body) as { object: object };
    const body = JSON.stringify({ ...told, object: { ...told.object, payment: `pay-${first.id}` } });
    await system.sendBody(dispute.object, dispute.id, body);
    await system.untilOutcome(second.id, dispute.id, 'review');
    expect(await system.orderOf(second.id)).toMatchObject({ attention_kinds: ',conflict,' });
    expect(system.doneEffects(second.id)).toEqual([]);
  });
});
