/** What `inorder verify` says of senders with key pairs, and of those with the older header names. */
import { expect, it } from 'vitest';
import { checkConfig } from '../../../src/config/check.ts';
import { verifyDelivery } from '../../../src/operations/verify-delivery.ts';
import { keyPairWorld, sandboxWorld } from '../providers/worlds.ts';

const NOW_MS = 1_800_000_000_000;
const [SHARED] = sandboxWorld.secrets;
const [PUBLIC] = keyPairWorld.secrets;
const BODY = Buffer.from(JSON.stringify(keyPairWorld.sample()));

function verify(secret: string, headers: Record<string, string>) {
  const machine = {
    ...{ name: 'order', version: 1, initial: 'new', statuses: { new: {}, shipped: {} }, effects: {} },
    on: { 'order.shipped': { new: 'shipped', else: { ignore: 'again' } } },
  };
  const shop = {
    ...{ provider: 'standard-webhooks', environment: 'live', machine: 'order', unknownTypes: 'archive' },
    secrets: [{ id: 'a', value: secret }],
    paths: keyPairWorld.settings.paths,
    contract: 'sequence',
  };
  const checked = checkConfig(
    { machines: [machine], sources: { shop }, effects: {} },
    'inorder.config.ts',
    {},
  );
  if ('problems' in checked) throw new Error(checked.problems.join('\n'));
  const source = checked.config.sources.get('shop');
  if (source === undefined) throw new Error('no source');
  const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  return verifyDelivery(checked.config, source, {
    headers: lists,
    body: BODY,
    atMs: NOW_MS,
    url: 'http://localhost/webhooks/shop',
  });
}
const signedBy = (world: typeof keyPairWorld, secret: string) => world.sign(BODY, secret, NOW_MS);

it('a public key confirms, and its event is read', () => {
  expect(verify(PUBLIC, signedBy(keyPairWorld, PUBLIC))).toMatchObject({
    valid: true,
    items: [{ object: 'order:1042', version: '3' }],
  });
});

it('signed with a key pair, and a shared secret is configured: says which kind is needed', () => {
  const verification = verify(SHARED, signedBy(keyPairWorld, PUBLIC));
  expect(verification).toMatchObject({ valid: false, refused: 'signature_invalid' });
  expect(JSON.stringify(verification)).toContain("v1a is confirmed by the sender's public key");
});

it('the older header names are as good as the new ones', () => {
  const headers = Object.fromEntries(
    Object.entries(signedBy(sandboxWorld, SHARED)).map(([name, value]) => [
      name.replace('webhook', 'svix'),
      value,
    ]),
  );
  const verification = verify(SHARED, headers);
  expect(verification).toMatchObject({ valid: true, clock: { ageSeconds: 0 } });
  expect(JSON.stringify(verification)).not.toContain('has to use the name');
});
