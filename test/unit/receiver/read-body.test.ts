import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect, it, onTestFinished } from 'vitest';

import { InorderError } from '../../../src/errors.ts';
import { ByteBudget, ByteLease } from '../../../src/receiver/byte-budget.ts';
import { Deadlines } from '../../../src/receiver/deadlines.ts';
import { readBody } from '../../../src/receiver/read-body.ts';

/** What reading the body of one POST comes to, when `before` was there first. */
async function readAfter(before: (request: IncomingMessage) => Promise<void>): Promise<unknown> {
  let result: unknown;
  const server = createServer((request, response) => {
    void (async () => {
      await before(request);
      const lease = new ByteLease(new ByteBudget(1_000_000));
      const limits = { maxBytes: 1_000, timeoutMs: 60_000 };
      result = await readBody(request, response, limits, { deadlines: new Deadlines(), lease }).catch(
        (error: unknown) => error,
      );
      response.end();
    })();
  });
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await (await fetch(`http://127.0.0.1:${String(port)}`, { method: 'POST', body: '{"id":1}' })).arrayBuffer();
  return result;
}

it('gives the bytes of a body that nobody has touched', async () => {
  expect(await readAfter(() => Promise.resolve())).toEqual(Buffer.from('{"id":1}'));
});

it('says at once that a body was parsed in front of it, and never waits for what will not come', async () => {
  const parsed = await readAfter(async (request) => {
    for await (const chunk of request) void chunk;
  });
  expect(parsed).toBeInstanceOf(InorderError);
  expect((parsed as InorderError).message).toMatch(/read before the receiver could/);
});

it('says so, too, when only a part was read', async () => {
  const begun = await readAfter(async (request) => {
    await once(request, 'readable');
    request.read(1);
  });
  expect(begun).toBeInstanceOf(InorderError);
});
