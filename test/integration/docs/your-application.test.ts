/** docs/your-application.md and docs/receive-effects.md: their configuration, their SQL and programs are taken from the pages and run. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import type { Connection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callHttp } from '../../../src/effects/http.ts';
import { isRefusal } from '../../../src/providers/provider.ts';
import { setup } from '../setup.ts';
import { startTeamSystem } from '../processes/team-system.ts';
import type { TeamSystem } from '../processes/team-system.ts';
import { blockNamed, isHere, LANGUAGES, programsOf } from './programs.ts';
import type { EffectServer, Programs } from './programs.ts';

const PAGE = ['docs/your-application.md', 'docs/receive-effects.md']
  .map((page) => readFileSync(page, 'utf8'))
  .join('\n');
const here = LANGUAGES.filter(isHere);
const namesOf = (languages: typeof LANGUAGES): string =>
  languages.map(({ name }) => name).join(', ') || 'none';

const WEBHOOK_SECRET = 'whsec_c2VudC1ieS15b3VyLWFwcGxpY2F0aW9u';
const HOOK_SECRET = 'whsec_dGFrZW4tYnkteW91ci1hcHBsaWNhdGlvbg==';
const variables = {
  SHOP_WEBHOOK_SECRET: WEBHOOK_SECRET,
  EFFECTS_SECRET: HOOK_SECRET,
  SHOP_API_TOKEN: 'token',
};

const folder = mkdtempSync(join(tmpdir(), 'inorder-application-'));
const file = join(folder, 'inorder.config.ts');
let system: TeamSystem;
beforeAll(async () => {
  mkdirSync(join(folder, 'machines'));
  writeFileSync(file, blockNamed(PAGE, 'inorder.config.ts'));
  writeFileSync(join(folder, 'machines/order.ts'), blockNamed(PAGE, 'machines/order.ts'));
  system = await startTeamSystem({ file, variables });
});
afterAll(async () => {
  await system.world.cleanup();
  rmSync(folder, { recursive: true });
});

const bodyOf = (order: string, type: string, version: number): string =>
  JSON.stringify({ type, data: { order, version, note: 'Größe 😀\u2028' } });

describe(`programs of both pages, run here: ${namesOf(here)}; not here: ${namesOf(
  LANGUAGES.filter((language) => !here.includes(language)),
)}`, () => {
  test('Node and Python are among those that run', () => {
    expect(here.map(({ name }) => name)).toEqual(expect.arrayContaining(['Node', 'Python']));
  });

  describe.each(here)('$name', (language) => {
    const ORDER = `${language.name}-1`;
    let programs: Programs;
    let server: EffectServer;
    beforeAll(async () => {
      programs = await programsOf(language, PAGE, folder);
      server = await programs.serve({ EFFECTS_SECRET: HOOK_SECRET });
    }, 300_000);
    afterAll(() => server.stop());

    test('sends what is stored, in any order, and its order moves', async () => {
      const send = (version: number, type: string) =>
        programs.send([`${system.url}/webhooks/shop`, `${ORDER}-${version}`, bodyOf(ORDER, type, version)], {
          SHOP_WEBHOOK_SECRET: WEBHOOK_SECRET,
        });
      expect(await send(2, 'order.cancelled')).toBe('202');
      expect(await send(1, 'order.created')).toBe('202');
      expect(await send(1, 'order.created')).toBe('202');
      await system.untilStatus(ORDER, 'cancelled');
      expect(await system.eventsOf(ORDER)).toMatchObject([
        { event_id: `${ORDER}-2`, outcome: 'applied' },
        { event_id: `${ORDER}-1`, outcome: 'applied' },
      ]);
    });

    test('takes an effect once, from a sender that knows the secret', async () => {
      const key = `order/live/${encodeURIComponent(ORDER)}/fulfil/order`;
      const body = Buffer.from(
        JSON.stringify({ effect: 'fulfil', order: { id: ORDER }, facts: { carrier: 'ü' } }),
      );
      const call = (secret: string, nowMs = Date.now()) =>
        callHttp({ url: server.url, secret, key, body, allowPrivate: true, timeoutMs: 10_000, nowMs });
      expect(await call(WEBHOOK_SECRET)).toMatchObject({
        kind: 'failed',
        error: expect.stringContaining('401'),
      });
      expect(await call(HOOK_SECRET, Date.now() - 600_000)).toMatchObject({ kind: 'failed' });
      expect(server.lines).toEqual([]);
      expect(await call(HOOK_SECRET)).toMatchObject({ kind: 'done' });
      expect(await call(HOOK_SECRET)).toMatchObject({ kind: 'done' });
      await expect.poll(() => server.lines).toEqual([`fulfil ${ORDER}`]);
    });

    test('is called by inorder when its order is confirmed', async () => {
      const fulfil = system.config.effects.get('fulfil');
      if (fulfil?.kind !== 'http') throw new Error('the page has no http effect');
      Object.assign(fulfil, { url: server.url, allowPrivate: true });
      const order = `${language.name}-2`;
      for (const [n, type] of ['order.created', 'order.confirmed'].entries()) {
        const args = [`${system.url}/webhooks/shop`, `${order}-${n}`, bodyOf(order, type, n + 1)];
        await programs.send(args, { SHOP_WEBHOOK_SECRET: WEBHOOK_SECRET });
      }
      await system.untilStatus(order, 'confirmed');
      await expect.poll(() => server.lines, { timeout: 20_000 }).toContain(`fulfil ${order}`);
    });
  });
});

describe('SQL of both pages', () => {
  const blocks = [...PAGE.matchAll(/^```sql\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  const [outbox = '', newest = '', doneEffects = ''] = blocks;
  const [tables = '', change = ''] = outbox.split('-- Each change');
  const shipIt = change.slice(change.indexOf('START'));

  async function shopDatabase(): Promise<() => Promise<Connection>> {
    const { mysqlUrl, defer } = await setup();
    const open = async () => {
      const connection = await createConnection({ uri: mysqlUrl, multipleStatements: true });
      defer(() => connection.end());
      return connection;
    };
    const shop = await open();
    await shop.query('CREATE TABLE orders (id VARCHAR(64) PRIMARY KEY, status VARCHAR(32), version BIGINT)');
    await shop.query("INSERT INTO orders VALUES ('1042', 'created', 0)");
    await shop.query(tables + doneEffects);
    return open;
  }

  test('numbers without a hole or a twin, however many write at once and whatever is rolled back', async () => {
    const open = await shopDatabase();
    const writers = await Promise.all(Array.from({ length: 8 }, open));
    await Promise.all(
      writers.map(async (writer, n) => {
        await writer.query(n % 2 === 0 ? shipIt : shipIt.replace('COMMIT', 'ROLLBACK'));
        await writer.query(shipIt);
      }),
    );
    const [rows] = await (await open()).query('SELECT version FROM outbox ORDER BY version');
    expect((rows as { version: number }[]).map(({ version }) => version)).toEqual(
      Array.from({ length: 12 }, (_, n) => n + 1),
    );
  });

  test('writes bodies that the source of the page reads, and finds the newest', async () => {
    const shop = await (await shopDatabase())();
    await shop.query(shipIt);
    await shop.query(shipIt);
    const [rows] = await shop.query(newest);
    const [row] = rows as { body: string }[];
    const source = system.config.sources.get('shop');
    const [event] =
      source?.provider.parse(
        {
          source: 'shop',
          headers: { 'webhook-id': ['1'] },
          body: Buffer.from(row?.body ?? ''),
          url: '',
          receivedAtMs: 0,
        },
        source.settings,
      ) ?? [];
    if (event === undefined || isRefusal(event)) throw new Error(JSON.stringify(event));
    expect(event).toMatchObject({ type: 'order.shipped', object: 'order:1042', version: '2' });
  });
});
