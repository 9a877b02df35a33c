import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { WorkflowClient } from '@temporalio/client';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createDeliver } from '../../../src/dispatch/deliver.ts';
import { connectLazily, probe } from '../../../src/temporal/connection.ts';
import { RequestIdClient } from '../../../src/temporal/request-id-client.ts';
import { workflowIdOf } from '../../../src/temporal/workflow-id.ts';
import { eventOf, keyOf } from '../../unit/dispatch/order-events.ts';
import { setup } from '../setup.ts';

const WORKFLOW_EXECUTION_SIGNALED = 26;

async function world() {
  const { temporalAddress, namespace, taskQueue, defer } = await setup();
  const connection = connectLazily({ temporalAddress, temporalNamespace: namespace });
  defer(() => connection.close());
  const client = new RequestIdClient({ connection, namespace });
  const key = keyOf(randomUUID());
  const deliver = createDeliver({ client, taskQueue, policiesOf: () => ({}) });
  const signals = async (): Promise<number> => {
    const { events = [] } = await client.getHandle(workflowIdOf(key)).fetchHistory();
    return (events ?? []).filter((event) => event.eventType === WORKFLOW_EXECUTION_SIGNALED).length;
  };
  return { client, connection, namespace, key, taskQueue, deliver, signals };
}

describe('the request id of a signal', () => {
  test('the server keeps one signal of two under the same id, and both of two ids', async () => {
    const { deliver, key, signals } = await world();
    for (const requestId of ['evt_1', 'evt_1', 'evt_1#1']) {
      expect(await deliver(key, [eventOf(1)], requestId)).toEqual({ kind: 'sent' });
    }
    expect(await signals()).toBe(2);
  });

  test('calls at the same time keep their own ids', async () => {
    const { deliver, key, signals } = await world();
    const ids = ['a', 'b', 'a', 'c', 'b', 'a'];
    await Promise.all(ids.map((requestId) => deliver(key, [eventOf(1)], requestId)));
    expect(await signals()).toBe(3);
  });

  test('outside of withRequestId each call is a new one, as the SDK does it', async () => {
    const { client, key, taskQueue, signals } = await world();
    const send = (by: WorkflowClient = client) =>
      by.signalWithStart('order', {
        workflowId: workflowIdOf(key),
        taskQueue,
        args: [],
        signal: 'deliver',
        signalArgs: [],
      });
    await send();
    await client.withRequestId('evt_1', send);
    await send();
    await client.withRequestId('evt_1', send);
    expect(await signals()).toBe(3);
  });

  test('a receiver that signals and probes leaves promises as cheap as they are', async () => {
    const { connection, namespace, key, deliver } = await world();
    const run = vi.spyOn(AsyncLocalStorage.prototype, 'run');
    onTestFinished(() => run.mockRestore());
    await probe(connection, namespace);
    expect(await deliver(key, [eventOf(1)], 'evt_1')).toEqual({ kind: 'sent' });
    expect(run).not.toHaveBeenCalled();
    // Whoever sets a deadline of his own still has one.
    await expect(connection.withDeadline(Date.now() - 1, () => probe(connection, namespace))).rejects.toThrow(
      /deadline/i,
    );
    expect(run).toHaveBeenCalledOnce();
  });

  test('the client stays one small file', () => {
    const file = new URL('../../../src/temporal/request-id-client.ts', import.meta.url);
    expect(readFileSync(file, 'utf8').split('\n').length).toBeLessThanOrEqual(60);
  });
});
