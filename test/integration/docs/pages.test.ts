/** What a page tells a reader to run is taken from the page and run. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sandbox } from '../../../src/providers/sandbox.ts';
import { isRefusal } from '../../../src/providers/provider.ts';
import { startOrderSystem } from '../order/order-system.ts';
import type { OrderSystem } from '../order/order-system.ts';
import { sourceSettings } from '../../../src/providers/conformance/world.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'inorder-pages-'));
let system: OrderSystem;
beforeAll(async () => {
  system = await startOrderSystem();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await system.world.cleanup();
});

const page = (name: string): string => readFileSync(join('docs', name), 'utf8');
const blockOf = (text: string, language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(text)?.[1] ?? '';

describe('docs/sandbox.md', () => {
  test('its script sends webhooks that are taken, by the commands beside it', async () => {
    const script = join(folder, 'send.mjs');
    writeFileSync(script, blockOf(page('sandbox.md'), 'js'));
    const commands = [...page('sandbox.md').matchAll(/^node send\.mjs (\S+) (\S+) (\S+) (\S+)$/gm)];
    expect(commands).toHaveLength(2);
    const { shop, payments } = system.shop.webhookSecrets;
    const env = {
      PATH: process.env['PATH'] ?? '',
      SHOP_WEBHOOK_SECRET: shop[0],
      PAYMENTS_WEBHOOK_SECRET: payments[0],
    };
    const base = `http://127.0.0.1:${system.receiver.port}`;
    for (const [, , ...args] of commands) {
      const { stdout } = await run(process.execPath, [script, base, ...args], { env });
      expect(stdout).toBe('202 {"status":"accepted"}\n');
    }
    await system.untilStatus(commands[0]?.[3] ?? '', 'paid');
  });

  test('names the facts that the sandbox hands on', () => {
    const named = [
      ...(/## Facts\n\n([\s\S]*?): texts/.exec(page('sandbox.md'))?.[1] ?? '').matchAll(/`(\w+)`/g),
    ];
    const names = named.map(([, name = '']) => name);
    const data = Object.fromEntries([...names, 'email', 'name'].map((name) => [name, 'x']));
    const body = { id: 'e', type: 'order.created', object: { kind: 'order', id: '1' }, version: 1, data };
    const [event] = sandbox.parse(
      { source: 's', headers: {}, body: Buffer.from(JSON.stringify(body)), url: '', receivedAtMs: 0 },
      sourceSettings({ name: 's', environment: 'e', toleranceMs: 1 }),
    );
    if (event === undefined || isRefusal(event)) throw new Error('the event was refused');
    expect(Object.keys(event.facts)).toEqual(names);
  });
});

describe('docs/configuration.md', () => {
  test('lists the neutral types that the sandbox knows', () => {
    const section = page('configuration.md').split('\n## Neutral event types\n')[1] ?? '';
    const listed = [...section.matchAll(/`((?:order|payment|refund|dispute)\.\w+)`/g)].map(
      ([, type]) => type,
    );
    const known = Object.values(sandbox.types).filter((type) => type !== null);
    expect(new Set(listed)).toEqual(new Set(known));
    expect(listed).toHaveLength(new Set(listed).size);
  });
});

describe('docs/temporal-ui.md', () => {
  test('its filters are taken by the server', async () => {
    const filters = blockOf(page('temporal-ui.md'), 'text').trim().split('\n');
    expect(filters.length).toBeGreaterThan(3);
    for (const query of filters) {
      const { count } = await system.client.count(query);
      expect({ query, isNumber: typeof count }).toEqual({ query, isNumber: 'number' });
    }
  });
});
