import { Client, Connection } from '@temporalio/client';
import { expect, onTestFinished, test } from 'vitest';
import { startTemporal } from '../../../../src/dev/services/temporal.ts';
import { SEARCH_ATTRIBUTES } from '../../../../src/temporal/search-attributes.ts';
import { announce, ownDirectoryForTest } from './directories.ts';

async function start(dataDir: string | null) {
  const server = await startTemporal({ dataDir, announce });
  onTestFinished(() => server.stop());
  return server;
}

async function open(address: string): Promise<Client> {
  const connection = await Connection.connect({ address });
  onTestFinished(() => connection.close());
  return new Client({ connection });
}

async function startedWorkflow(client: Client): Promise<string> {
  const handle = await client.workflow.start('order', { taskQueue: 'nobody', workflowId: 'order/live/1042' });
  return handle.firstExecutionRunId;
}

test('with a file, open workflows survive the death of the server', async () => {
  const server = await start(await ownDirectoryForTest());
  const runId = await startedWorkflow(await open(server.address));

  await server.kill('SIGKILL');
  await server.restart();

  const client = await open(server.address);
  const found = await client.workflow.getHandle('order/live/1042').describe();
  expect(found).toMatchObject({ runId, status: { name: 'RUNNING' } });
});

test('in memory, a restart is a server that lost everything', async () => {
  const server = await start(null);
  await startedWorkflow(await open(server.address));
  await server.restart();
  const client = await open(server.address);
  await expect(client.workflow.getHandle('order/live/1042').describe()).rejects.toThrow(/not found/i);
});

test('it knows the search attributes and keeps closed workflows longer than providers redeliver', async () => {
  const server = await start(null);
  const { connection } = await open(server.address);
  const { customAttributes } = await connection.operatorService.listSearchAttributes({
    namespace: 'default',
  });
  expect(Object.keys(customAttributes ?? {})).toEqual(
    expect.arrayContaining(SEARCH_ATTRIBUTES.map(({ name }) => name)),
  );
  const { config } = await connection.workflowService.describeNamespace({ namespace: 'default' });
  expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(30 * 86_400);
});

test('its web UI answers where it says', async () => {
  const server = await start(null);
  const response = await fetch(server.uiUrl);
  expect(response.status).toBe(200);
});
