/** What tests of reading lists look at: cursors, rows that a second look must not add to, schedules. */
import { Connection, ScheduleClient, WorkflowClient } from '@temporalio/client';
import { expect } from 'vitest';
import { selectCursors } from '../../../src/store/cursors.ts';
import type { Store } from '../../../src/store/store.ts';
import { scheduleIdOf } from '../../../src/temporal/reconcile-schedules.ts';
import type { World } from '../setup.ts';

/** How many orders change while nobody listens: `INORDER_LISTED_ORDERS=1000` is the run of the figures. */
export const ORDERS = Number(process.env['INORDER_LISTED_ORDERS'] ?? 60);
export const PATIENCE_MS = 60_000 + ORDERS * 1_500;

export const untilBegun = (store: Store, sources: number) =>
  expect
    .poll(async () => (await selectCursors(store)).length, { timeout: 30_000, interval: 50 })
    .toBe(sources);

/** Until each list was read once more from beginning to end, of a window that was opened after now. */
export async function untilReadAgain(store: Store): Promise<void> {
  const nowMs = Date.now();
  await expect
    .poll(async () => (await selectCursors(store)).every((one) => Date.parse(one.listedUntil) > nowMs), {
      timeout: 60_000,
      interval: 50,
    })
    .toBe(true);
}

/** Everything that a look which finds nothing leaves as it is. */
export async function rowsOf(store: Store): Promise<Record<string, string>> {
  const [row] = await store.query<Record<string, string>>(
    `SELECT (SELECT COUNT(*) FROM events) AS events, (SELECT COUNT(*) FROM deliveries) AS deliveries,
            (SELECT COUNT(*) FROM bodies) AS bodies, (SELECT COUNT(*) FROM journal) AS journal,
            (SELECT COUNT(*) FROM effects) AS effects, (SELECT SUM(revision) FROM orders) AS revisions`,
  );
  return row ?? {};
}

/** Orders by status. */
export async function statusesOf(store: Store): Promise<Record<string, number>> {
  const rows = await store.query<{ status: string; total: string }>(
    'SELECT status, COUNT(*) AS total FROM orders GROUP BY status',
  );
  return Object.fromEntries(rows.map(({ status, total }) => [status, Number(total)]));
}

/** Temporal as an operator sees it; the schedules of the test go with it. */
export async function lookIntoTemporal({ temporalAddress, namespace, taskQueue, defer }: World) {
  const connection = await Connection.connect({ address: temporalAddress });
  const schedules = new ScheduleClient({ connection, namespace });
  const workflows = new WorkflowClient({ connection, namespace });
  const scheduleOf = (source: string) => schedules.getHandle(scheduleIdOf(taskQueue, source));
  defer(async () => {
    for (const source of ['shop', 'payments', 'stripe'])
      await scheduleOf(source)
        .delete()
        .catch(() => {});
    await connection.close();
  });
  return { schedules, workflows, scheduleOf };
}

export const untilEffectsEnd = (store: Store) =>
  expect
    .poll(() => store.query("SELECT name, state FROM effects WHERE state NOT IN ('done', 'dropped')"), {
      timeout: PATIENCE_MS,
      interval: 200,
    })
    .toEqual([]);

export const tellFigures = (what: string, seconds: number, requests: number): void =>
  void process.stdout.write(`${what}: ${ORDERS} orders in ${seconds.toFixed(1)} s, ${requests} requests\n`);
