/**
 * What no adapter sees alone: every adapter behind the real door. Its own part stands in the conformance checks, its
 * world in test/unit/providers/worlds.ts.
 */
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { SourceDefinition } from '../../../src/config/written.ts';
import type { ProviderWorld } from '../../../src/providers/conformance/world.ts';
import { anySenderWorld, keyPairWorld, sandboxWorld } from '../../unit/providers/worlds.ts';
import { stripeWorld } from '../../unit/providers/stripe/world.ts';
import { startWorld } from './world.ts';

const worlds = [
  ['sandbox', sandboxWorld],
  ['standard-webhooks', anySenderWorld],
  ['standard-webhooks with a key pair', keyPairWorld],
  ['stripe', stripeWorld],
] as const;

const sourceOf = (world: ProviderWorld, more: Partial<SourceDefinition> = {}): Partial<SourceDefinition> => ({
  provider: world.provider,
  paths: world.settings.paths,
  order: world.settings.orderPaths,
  secrets: world.secrets.map((value, n) => ({ id: `secret-${n}`, value })),
  contract: 'monotonic',
  unknownTypes: 'archive',
  ...more,
});
const bodyOf = (world: ProviderWorld, change: (body: string) => string = (body) => body): Buffer =>
  Buffer.from(change(JSON.stringify(world.sample())));
const signed = (world: ProviderWorld, body: Buffer, secret = world.secrets[0]): Record<string, string> => ({
  'content-type': 'application/json',
  ...world.sign(body, secret, Date.now()),
});

/** Header names as they are given, which `fetch` would not keep. */
function postRaw(url: string, body: Buffer, headers: Record<string, string>): Promise<number> {
  return new Promise((settle, fail) => {
    const sent = request(url, { method: 'POST', headers }, (answer) => {
      answer.resume().on('end', () => settle(answer.statusCode ?? 0));
    });
    sent.on('error', fail).end(body);
  });
}

describe.each(worlds)('%s', (_name, provider) => {
  it('[R1] a changed byte is refused and counted, and nothing of it is stored', async () => {
    const world = await startWorld({ sources: { shop: sourceOf(provider) } });
    const body = bodyOf(provider);
    const headers = signed(provider, body);
    const changed = Buffer.from(body);
    changed[changed.length >> 1] = (changed[changed.length >> 1] as number) ^ 1;
    expect(await world.post(changed, headers)).toMatchObject({
      status: 401,
      body: { error: 'signature_invalid' },
    });
    const { [provider.signatureHeader]: _signature, ...unsigned } = headers;
    expect(await world.post(body, unsigned)).toMatchObject({
      status: 401,
      body: { error: 'signature_missing' },
    });
    expect(await world.rows()).toEqual([]);
    expect(await world.metric('inorder_refused_total', { source: 'shop' })).toBe(2);
    expect(await world.post(body, headers)).toMatchObject({ status: 202 });
    expect(await world.rows()).toHaveLength(1);
  });

  it('[R2] a truncated body, Latin-1 and UTF-16 are refused by name, however well they are signed', async () => {
    const world = await startWorld({ sources: { shop: sourceOf(provider) } });
    const whole = bodyOf(provider);
    for (const [bytes, error] of [
      [whole.subarray(0, -1), 'body_truncated'],
      [Buffer.alloc(0), 'body_empty'],
      [bodyOf(provider, (text) => text.replace('Ada', 'Zo\u00eb')), null],
      [Buffer.from(whole.toString().replace('Ada', 'Zo\u00eb'), 'latin1'), 'body_malformed'],
      [Buffer.from(whole.toString(), 'utf16le'), 'body_malformed'],
    ] as const) {
      const answer = await world.post(bytes, signed(provider, bytes));
      expect(answer.body.error ?? null).toBe(error);
      expect(answer.status).toBe(error === null ? 202 : 400);
    }
  });

  it('[R2] compressed, with a charset, under header names in any case: the signature is over the inflated bytes', async () => {
    const world = await startWorld({ sources: { shop: sourceOf(provider) } });
    const body = bodyOf(provider, (text) => text.replace('Ada', '\u{1F600}\u2028\\r\\n'));
    const headers = { ...signed(provider, body), 'content-type': 'application/json; charset=utf-8' };
    const url = `${world.url}/webhooks/shop`;
    expect(await postRaw(url, gzipSync(body), { ...headers, 'content-encoding': 'gzip' })).toBe(202);
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    expect(await postRaw(url, body, upper)).toBe(202);
    const rows = await world.rows();
    expect(rows).toHaveLength(1);
    expect(rows[0]?.headers.toString()).not.toContain(provider.secrets[0]);
  });

  it('keeps all that its signature needs, so that what is stored can be judged once more', async () => {
    const world = await startWorld({ sources: { shop: sourceOf(provider) } });
    const body = bodyOf(provider);
    const headers = signed(provider, body);
    expect(await world.post(body, headers)).toMatchObject({ status: 202 });
    const kept = JSON.parse(String((await world.rows())[0]?.headers)) as Record<string, string>;
    for (const name of provider.signedHeaders) expect(kept[name]).toBe(headers[name]);
  });

  it('[R3] while secrets change both confirm, and the record says which one did', async () => {
    const world = await startWorld({ sources: { shop: sourceOf(provider) } });
    const body = bodyOf(provider);
    for (const secret of provider.secrets)
      expect(await world.post(body, signed(provider, body, secret))).toMatchObject({ status: 202 });
    const deliveries = await world.store.query<{ secret_id: string }>(
      'SELECT secret_id FROM events UNION ALL SELECT secret_id FROM deliveries',
    );
    expect(deliveries.map((row) => row.secret_id)).toEqual(['secret-0', 'secret-1']);
  });
});

describe('standard-webhooks', () => {
  it('[R3] a sender may go from a shared secret to a key pair', async () => {
    const secrets = [
      { id: 'shared', value: sandboxWorld.secrets[0], until: '2999-01-01T00:00:00Z' },
      { id: 'pair', value: keyPairWorld.secrets[0] },
    ];
    const world = await startWorld({ sources: { shop: sourceOf(keyPairWorld, { secrets }) } });
    const body = bodyOf(keyPairWorld);
    const byPair = signed(keyPairWorld, body);
    const byDigest = { ...signed(sandboxWorld, body), 'webhook-id': 'msg_2' };
    const redone = { ...byDigest, ...sandboxWorld.sign(body, sandboxWorld.secrets[0], Date.now()) };
    expect(await world.post(body, byPair)).toMatchObject({ status: 202 });
    // The id is under the signature.
    expect(await world.post(body, byDigest)).toMatchObject({ status: 401 });
    expect(await world.post(body, redone)).toMatchObject({ status: 202, body: { status: 'known' } });
    const [row] = await world.rows();
    expect(row?.secret_id).toBe('pair');
  });

  it('[R10] what is of another mode or account is kept as foreign', async () => {
    const source = sourceOf(anySenderWorld, { mode: 'production', account: 't-1' });
    const world = await startWorld({ sources: { shop: source } });
    for (const [id, env, tenant] of [
      ['e-1', 'production', 't-1'],
      ['e-2', 'staging', 't-1'],
      ['e-3', 'production', 't-2'],
    ]) {
      const sample = anySenderWorld.sample() as { meta: object };
      const body = Buffer.from(
        JSON.stringify({ ...sample, meta: { ...sample.meta, event: id, env, tenant } }),
      );
      expect(await world.post(body, signed(anySenderWorld, body))).toMatchObject({ status: 202 });
    }
    expect((await world.rows()).map(({ outcome, reason }) => [outcome, reason])).toEqual([
      [null, null],
      ['foreign', 'other_mode'],
      ['foreign', 'other_account'],
    ]);
  });

  it('[R12] an order of twenty digits is the order of these digits', async () => {
    const world = await startWorld({ sources: { shop: sourceOf(anySenderWorld) } });
    const body = bodyOf(anySenderWorld, (text) => text.replace('"1042"', '83897661450506698701'));
    expect(await world.post(body, signed(anySenderWorld, body))).toMatchObject({ status: 202 });
    expect((await world.rows()).map((row) => String(row.order_id))).toEqual(['83897661450506698701']);
  });
});
