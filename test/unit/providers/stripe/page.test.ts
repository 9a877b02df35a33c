/** docs/stripe.md against the code: the words it lists, the facts it names, the configuration it begins with. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../../src/config/load.ts';
import type { ParsedEvent } from '../../../../src/providers/provider.ts';
import { stripe } from '../../../../src/providers/stripe/stripe.ts';
import { types } from '../../../../src/providers/stripe/types.ts';
import { bodyOf, settings } from './objects.ts';

const page = readFileSync('docs/stripe.md', 'utf8');

describe('docs/stripe.md', () => {
  it('lists every word, some by their ends', () => {
    const rows = page.split('\n').filter((line) => line.startsWith('| `'));
    const listed = rows.flatMap((row) => {
      const names = [...(row.split('|')[1] ?? '').matchAll(/`([\w.]+)`/g)].map(([, name]) => name as string);
      const stem = names[0]?.replace(/\.\w+$/, '');
      return names.map((name) => (name.startsWith('.') ? `${stem}${name}` : name));
    });
    expect(new Set(listed)).toEqual(new Set(Object.keys(types)));
    expect(listed).toHaveLength(new Set(listed).size);
  });

  it('names the facts that may be handed on, and no other', () => {
    const named = /\*\*Facts\*\*[^:]*: ([\s\S]*?)\. Amounts/.exec(page)?.[1] ?? '';
    const names = new Set([...named.matchAll(/`(\w+)`/g)].map(([, name]) => name));
    expect(names.size).toBe(9);
    for (const word of Object.keys(types)) {
      const body = Buffer.from(JSON.stringify(bodyOf(word)));
      const [event] = stripe.parse({ source: 's', headers: {}, body, url: '', receivedAtMs: 0 }, settings);
      for (const name of Object.keys((event as ParsedEvent).facts)) expect(names, word).toContain(name);
    }
  });

  it('begins with a configuration that is taken, with the table for Stripe', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'inorder-page-'));
    mkdirSync(join(folder, 'machines'));
    cpSync('src/init/templates/stripe/order.ts', join(folder, 'machines', 'order.ts'));
    const file = join(folder, 'inorder.config.ts');
    writeFileSync(file, /^```ts\n([\s\S]*?)^```/m.exec(page)?.[1] ?? '');
    const variables = {
      STRIPE_WEBHOOK_SECRET: 'whsec_nFq1T5hF8AzqTSN5c0nSU1Nw0cQKV2oE',
      STRIPE_API_KEY: 'rk_live_1',
      SHOP_HOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    };
    const source = (await loadConfig(file, variables)).sources.get('stripe');
    rmSync(folder, { recursive: true });
    expect(source?.api).toMatchObject({
      base: 'https://api.stripe.com',
      headers: { 'stripe-version': expect.any(String) as string },
    });
    expect(source?.policy).toMatchObject({ contract: 'unordered', api: true, find: true });
  });
});
