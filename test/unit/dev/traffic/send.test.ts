import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { closeAtOnce, listenOnLoopback } from '../../../../src/dev/listen.ts';
import { createRandom } from '../../../../src/dev/sandbox/random.ts';
import { tellStories } from '../../../../src/dev/sandbox/stories.ts';
import { World } from '../../../../src/dev/sandbox/world.ts';
import { startNaiveHandler, type NaiveHandler } from '../../../../src/dev/traffic/naive-handler.ts';
import { sendStorm } from '../../../../src/dev/traffic/send.ts';
import { planStorm, type StormShares } from '../../../../src/dev/traffic/storm.ts';

const SECRETS = {
  shop: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
  payments: ['whsec_r3KQ9r8GKYqrTwjUPD8ILPZIo2LaLaSx'],
};
const secretsOf = (values: string[]) => values.map((value, n) => ({ id: String(n), value, untilMs: null }));
const CALM: StormShares = { lost: 0, overtaken: 0, repeated: 0, twins: 0, forged: 0 };

describe('sending a storm', () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  const naive = async (): Promise<NaiveHandler> => {
    const handler = await startNaiveHandler({
      shop: secretsOf(SECRETS.shop),
      payments: secretsOf(SECRETS.payments),
    });
    closing.push(() => handler.close());
    return handler;
  };
  const send = async (receiverUrl: string, naiveUrl: string, orders: number, shares?: StormShares) => {
    const random = createRandom('send');
    const stories = tellStories(orders, random.fork('stories'));
    const storm = planStorm(stories, 600, random.fork('storm'), shares);
    const ledger = await sendStorm(storm, {
      world: new World(),
      receiverUrls: [receiverUrl],
      naiveUrl,
      secrets: SECRETS,
      random,
      onProgress: () => {},
      hold: () => null,
      failure: () => null,
      signal: new AbortController().signal,
    });
    return { stories, storm, ledger };
  };

  it('is refused where it is forged, and nowhere else', async () => {
    const handler = await naive();
    const { storm, ledger } = await send(handler.url, handler.url, 40);
    const forged = storm.deliveries.filter(({ kind }) => kind === 'forged').length;
    expect(ledger.counts()).toMatchObject({
      sent: storm.deliveries.length,
      refused: forged,
      misjudged: [],
      unanswered: 0,
      retries: 0,
    });
  });

  it('tries again what got no answer or a 5xx, with the same message', async () => {
    const ids = new Map<string, number>();
    const server = createServer((request, response) => {
      const id = String(request.headers['webhook-id']);
      const attempt = (ids.get(id) ?? 0) + 1;
      ids.set(id, attempt);
      if (attempt === 1) response.writeHead(503).end();
      else if (attempt === 2) request.socket.destroy();
      else response.writeHead(202).end('{"status":"accepted"}');
    });
    const url = await listenOnLoopback(server);
    closing.push(() => closeAtOnce(server));
    const { storm, ledger } = await send(url, (await naive()).url, 3, CALM);
    expect(ledger.counts()).toMatchObject({
      sent: storm.deliveries.length,
      accepted: storm.deliveries.length,
      retries: storm.deliveries.length * 2,
      unanswered: 0,
    });
    expect([...ids.values()].every((attempts) => attempts === 3)).toBe(true);
  });
});
