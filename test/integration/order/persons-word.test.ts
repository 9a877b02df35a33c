import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reconcileOrder } from '../../../src/operations/reconcile-order.ts';
import { resolveOrder } from '../../../src/operations/resolve-order.ts';
import type { PersonsWord } from '../../../src/operations/resolve-order.ts';
import { showOrder } from '../../../src/operations/show-order.ts';
import { updateOrder } from '../../../src/temporal/update-order.ts';
import { RECONCILE_UPDATE } from '../../../workflows/messages.ts';
import { runCli } from '../cli/run-cli.ts';
import { startOrderSystem } from './order-system.ts';
import type { OrderSystem } from './order-system.ts';

let system: OrderSystem;
beforeAll(async () => {
  system = await startOrderSystem();
});
afterAll(() => system.world.cleanup());

const keyOf = (id: string) => ({ machine: 'order', environment: 'demo', id });
const deps = () => ({ db: system.store, client: system.client, taskQueue: system.environment.taskQueue });
const variables = () => ({
  MYSQL_URL: system.environment.mysqlUrl,
  TEMPORAL_ADDRESS: system.environment.temporalAddress,
  INORDER_TASK_QUEUE: system.environment.taskQueue,
});

/** An order whose payment was captured after it was cancelled: what the table leaves to a person. */
async function orderInReview() {
  const { newOrder, send, untilStatus, untilOutcome } = system;
  const order = newOrder();
  await send(order.created());
  await send(order.cancelled());
  await untilStatus(order.id, 'cancelled');
  const captured = order.captured();
  await send(captured);
  await untilOutcome(order.id, captured.id, 'review');
  return { id: order.id, captured, stream: `payments/${captured.object}` };
}

const wordAbout = (stream: string, more: Partial<PersonsWord> = {}): PersonsWord => ({
  stream,
  event: null,
  resolution: { kind: 'ignore' },
  actor: 'ada',
  reason: 'looked at it',
  ...more,
});

describe("a person's word by the command line", () => {
  test('[R43] [R54] each attention names the commands that settle it, and one of them does', async () => {
    const { id, captured } = await orderInReview();
    const env = variables();
    const { stdout } = await runCli(['orders', 'show', id], { env });
    const commands = stdout.split('\n').filter((line) => line.includes('inorder orders resolve'));
    expect(commands.map((line) => line.match(/--(apply \w+|ignore)/)?.[1])).toEqual(['apply paid', 'ignore']);
    const [, ...words] = commands[0]?.trim().split(' ') ?? [];
    const args = words.slice(0, -1).concat('the bank confirms it', '--actor', 'ada');
    const done = await runCli([...args, '--json'], { env });
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(done.stdout)).toMatchObject({ status: 'paid', refused: null });
    await system.untilOutcome(id, captured.id, 'applied');
    expect(await system.journalOf(id)).toContainEqual(
      expect.objectContaining({ kind: 'resolved', reason: 'ada: the bank confirms it' }),
    );
    expect(await showOrder(system.store, keyOf(id))).toMatchObject({ attention: [] });
  });

  test('[R43] [R54] a refusal changes nothing, says why and ends with 1', async () => {
    const { id, stream } = await orderInReview();
    const env = variables();
    const person = ['--reason', 'by mistake', '--actor', 'ada'];
    const seen = async () => {
      const { status, attention, effects } = (await showOrder(system.store, keyOf(id))) ?? {};
      return { status, attention, effects };
    };
    const before = await seen();
    const refused = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await runCli(['orders', 'resolve', id, ...args, ...person], { env });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      return stderr;
    };
    const named = ['--stream', stream];
    expect(await refused(...named, '--apply', 'shipped')).toContain('leads payment.captured to paid');
    expect(await refused(...named, '--event', 'evt_none', '--ignore')).toContain('does not wait in');
    expect(await refused('--stream', `${stream}x`, '--ignore')).toContain(`Did you mean '${stream}'?`);
    expect(await refused('--ignore')).toContain('nothing of the order waits for a person');
    expect(await seen()).toEqual(before);
    expect((await system.journalOf(id)).map(({ kind }) => kind)).not.toContain('resolved');
  });

  test('is not taken without what is decided, by whom and why', async () => {
    const env = variables();
    for (const args of [
      ['orders', 'resolve', '1', '--reason', 'r'],
      ['orders', 'resolve', '1', '--ignore'],
      ['orders', 'resolve', '1', '--ignore', '--rebase', '--reason', 'r'],
      ['orders', 'resolve', '1', '--ignore', '--reason', ' '],
      ['orders', 'reconcile', '1', '--reason', 'r', '--actor', ''],
    ])
      expect({ args, code: (await runCli(args, { env })).code }).toEqual({ args, code: 2 });
    const unknown = await runCli(['orders', 'reconcile', 'no-such-order', '--reason', 'r'], { env });
    expect(unknown.code).toBe(3);
  });

  test('[R40] [R54] the provider is asked about one stream, or about all that can be asked', async () => {
    const { newOrder, send, untilStatus, shop } = system;
    const order = newOrder();
    await send(order.created());
    await untilStatus(order.id, 'awaiting_payment');
    const asked = shop.sandbox.asked;
    const request = { actor: 'ada', reason: 'the customer called' };
    const one = { ...request, stream: `shop/order:${order.id}` };
    expect(await reconcileOrder(deps(), keyOf(order.id), one)).toMatchObject({ refused: null });
    await expect.poll(() => shop.sandbox.asked, { timeout: 10_000 }).toBeGreaterThan(asked);
    const wrong = await reconcileOrder(deps(), keyOf(order.id), { ...request, stream: 'shop/order:x' });
    expect(wrong?.refused).toMatch(/has no stream shop\/order:x/);
    order.captured();
    const env = variables();
    const all = await runCli(['orders', 'reconcile', order.id, '--reason', 'the customer called'], { env });
    expect(all).toMatchObject({ code: 0, stderr: '' });
    await untilStatus(order.id, 'paid');
  });

  test('says nothing of an order that was never heard of', async () => {
    const nobody = keyOf('never-heard-of');
    expect(await resolveOrder(deps(), nobody, wordAbout('shop/order:1'))).toBeNull();
    expect(await reconcileOrder(deps(), nobody, { actor: 'ada', reason: 'r', stream: null })).toBeNull();
  });

  test('an event is named where several wait in one stream', async () => {
    const { id, captured, stream } = await orderInReview();
    const word = wordAbout(stream, { event: captured.id });
    expect(await resolveOrder(deps(), keyOf(id), word)).toMatchObject({ refused: null, status: 'cancelled' });
    await system.untilOutcome(id, captured.id, 'ignored');
  });

  test('gives up after its time when no worker runs, and says that the request may still be carried out', async () => {
    const { id } = await orderInReview();
    const request = { actor: 'ada', reason: 'r', stream: null };
    const nobody = { ...deps(), taskQueue: 'nobody-works-here', deadlineMs: 1_500 };
    await expect(
      updateOrder(nobody, { ...keyOf(id), environment: 'empty' }, RECONCILE_UPDATE, request),
    ).rejects.toMatchObject({
      code: 'temporal_unavailable',
      message: expect.stringContaining('is a worker running?') as string,
    });
  });
});

describe("a person's word about an order whose workflow is closed", () => {
  test('[R43] [R54] opens it again', async () => {
    const quiet = await startOrderSystem({
      configure: (config) => {
        config.closeAfterMs = 500;
      },
    });
    try {
      const order = quiet.newOrder();
      await quiet.send(order.created());
      await quiet.send(order.captured());
      await quiet.send(order.shipped());
      await quiet.untilStatus(order.id, 'shipped');
      await quiet.untilClosed(order.id);
      order.say(`payment:pay-${order.id}`, 'payment.refunded', { refund: `re-${order.id}` });
      const { store: db, client, environment } = quiet;
      const request = { actor: 'ada', reason: 'the customer called', stream: null };
      const asked = await reconcileOrder(
        { db, client, taskQueue: environment.taskQueue },
        keyOf(order.id),
        request,
      );
      expect(asked).toMatchObject({ refused: null });
      await quiet.untilStatus(order.id, 'refunded');
      expect(await quiet.journalOf(order.id)).toContainEqual(
        expect.objectContaining({ kind: 'asked', reason: 'ada: the customer called' }),
      );
    } finally {
      await quiet.world.cleanup();
    }
  });
});
