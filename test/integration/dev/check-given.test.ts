import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { checkGiven } from '../../../src/dev/check-given.ts';
import { findFreePort } from '../../../src/dev/services/free-port.ts';
import { setup } from '../setup.ts';

const NOTHING = { mysqlUrl: null, temporalAddress: null, namespace: 'default' };

async function messageOf(promise: Promise<void>): Promise<string> {
  return promise.then(
    () => 'usable',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

it('takes servers that are there', async () => {
  const { mysqlUrl, temporalAddress, namespace } = await setup();
  expect(await messageOf(checkGiven({ mysqlUrl, temporalAddress, namespace }))).toBe('usable');
});

it('says at once which variable names a server that is not there, and never its password', async () => {
  const port = await findFreePort();
  const mysql = await messageOf(checkGiven({ ...NOTHING, mysqlUrl: `mysql://u:geheim@127.0.0.1:${port}/x` }));
  expect(mysql).toMatch(/^MYSQL_URL names a server at 127\.0\.0\.1:\d+ that cannot be used/);
  expect(mysql).not.toContain('geheim');
  const temporal = await messageOf(checkGiven({ ...NOTHING, temporalAddress: `127.0.0.1:${port}` }));
  expect(temporal).toMatch(/^TEMPORAL_ADDRESS names a server at 127\.0\.0\.1:\d+ that cannot be used/);
  expect(temporal).toContain('unset it to use a private server');
});

it('says what a server that is there refuses', async () => {
  const { mysqlUrl, temporalAddress } = await setup();
  const url = new URL(mysqlUrl);
  url.password = 'wrong';
  expect(await messageOf(checkGiven({ ...NOTHING, mysqlUrl: url.href }))).toContain('Access denied');
  const other = checkGiven({ ...NOTHING, temporalAddress, namespace: 'nobody-made-it' });
  expect(await messageOf(other)).toContain('nobody-made-it');
});

it('does not wait longer than a few seconds for a server that takes connections and says nothing', async () => {
  const silent = createServer();
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = silent.address() as { port: number };
    const startedAtMs = performance.now();
    const [mysql, temporal] = await Promise.all([
      messageOf(checkGiven({ ...NOTHING, mysqlUrl: `mysql://u:p@127.0.0.1:${port}/x` })),
      messageOf(checkGiven({ ...NOTHING, temporalAddress: `127.0.0.1:${port}` })),
    ]);
    expect([mysql, temporal].map((message) => message.split(' ')[0])).toEqual([
      'MYSQL_URL',
      'TEMPORAL_ADDRESS',
    ]);
    expect(performance.now() - startedAtMs).toBeLessThan(8_000);
  } finally {
    silent.close();
  }
});
