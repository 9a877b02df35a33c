import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findFreePort } from '../../../../src/dev/services/free-port.ts';
import { startMysql } from '../../../../src/dev/services/mysql.ts';
import { startTemporal } from '../../../../src/dev/services/temporal.ts';
import { announce, ownDirectoryForTest } from './directories.ts';

vi.mock(import('../../../../src/dev/services/free-port.ts'), async (original) => {
  const { findFreePort: real } = await original();
  return { findFreePort: vi.fn(real) };
});

/** Somebody was quicker: the next port that is thought free is taken. */
async function takeNextPort(): Promise<number> {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  vi.mocked(findFreePort).mockClear().mockResolvedValueOnce(port);
  return port;
}

test('MySQL takes another port when the one it was given is gone', async () => {
  const taken = await takeNextPort();
  const server = await startMysql({ dataDir: await ownDirectoryForTest(), announce });
  onTestFinished(() => server.stop());
  expect(await offeredPorts()).toContain(taken);
  expect(Number(new URL(server.url).port)).not.toBe(taken);
});

test('Temporal takes another port when the one it was given is gone', async () => {
  const taken = await takeNextPort();
  const server = await startTemporal({ dataDir: null, announce });
  onTestFinished(() => server.stop());
  expect(await offeredPorts()).toContain(taken);
  expect(Number(server.address.split(':')[1])).not.toBe(taken);
});

function offeredPorts(): Promise<number[]> {
  return Promise.all(vi.mocked(findFreePort).mock.results.map(({ value }) => value as Promise<number>));
}
