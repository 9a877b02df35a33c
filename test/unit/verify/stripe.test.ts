import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { checkConfig } from '../../../src/config/check.ts';
import { stripeLife } from '../../../src/dev/stripe/life.ts';
import { verifyDelivery } from '../../../src/operations/verify-delivery.ts';
import type { Verification } from '../../../src/operations/verify-delivery.ts';

const SECRET = 'whsec_dGhpcyBpcyBhIGtleSBvZiB0aGUgdGVzdHMgYWxvbmU';
const NOW_S = 1_800_000_000;
const life = stripeLife({ order: '1042', seed: 'verify', until: 'paid' });
const BODY = life.events.find(({ type }) => type === 'payment_intent.succeeded')?.body ?? '';

function verify({
  body = BODY,
  header = `t=${NOW_S},v1=${hex(SECRET, `${NOW_S}.${BODY}`)}`,
  configured = SECRET,
  order = ['metadata.order_id'],
  mode = 'live',
}: {
  body?: string;
  header?: string | null;
  configured?: string;
  order?: string[];
  mode?: string;
} = {}): Verification {
  const machine = {
    ...{ name: 'order', version: 1, initial: 'new', statuses: { new: {}, paid: {} }, effects: {} },
    on: { 'payment.captured': { new: 'paid', else: { ignore: 'paid' } } },
    unlisted: 'ask',
  };
  const stripe = {
    ...{
      provider: 'stripe',
      environment: 'live',
      machine: 'order',
      unknownTypes: 'archive',
      apiKey: 'rk_live_1',
    },
    ...{ mode, order, secrets: [{ id: 'a', value: configured }] },
  };
  const checked = checkConfig(
    { machines: [machine], sources: { stripe }, effects: {} },
    'inorder.config.ts',
    {},
  );
  if ('problems' in checked) throw new Error(checked.problems.join('\n'));
  const source = checked.config.sources.get('stripe');
  if (source === undefined) throw new Error('no source');
  const verification = verifyDelivery(checked.config, source, {
    headers: header === null ? {} : { 'stripe-signature': [header] },
    body: Buffer.from(body),
    atMs: NOW_S * 1_000,
    url: 'http://localhost/webhooks/stripe',
  });
  const shown = JSON.stringify(verification);
  for (const hidden of [SECRET, 'rk_live', 'buyer@shop.example', 'A Buyer'])
    expect(shown).not.toContain(hidden);
  return verification;
}

const hex = (key: string | Buffer, content: string): string =>
  createHmac('sha256', key).update(content).digest('hex');

it('says what a valid event is, and where its order was looked for', () => {
  expect(verify()).toMatchObject({
    valid: true,
    clock: { ageSeconds: 0, inside: true },
    items: [
      {
        type: 'payment.captured',
        object: `payment:${life.payments.paid}`,
        order: '1042',
        mode: 'live',
        outcome: null,
      },
    ],
  });
  expect(verify({ order: ['metadata.shop_order'] }).items).toMatchObject([
    {
      order: null,
      orderPaths: ['metadata.shop_order'],
      refs: expect.arrayContaining([`payment:${life.payments.paid}`]),
    },
  ]);
  expect(verify({ mode: 'test' }).items).toMatchObject([{ outcome: 'foreign', reason: 'other_mode' }]);
});

it('finds a body that a framework has parsed and written anew', () => {
  // Stripe sends its events pretty-printed.
  expect(verify({ body: JSON.stringify(JSON.parse(BODY)) }).cause).toMatchObject({
    in: 'body',
    text: expect.stringContaining('signed was: pretty-printed by 2'),
  });
});

it('tells an API key from a signing secret, and a key that was decoded from one that was not', () => {
  expect(verify({ configured: 'sk_test_of_somebody' }).secrets[0]?.odd).toContain('it is an API key');
  const decoded = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
  expect(verify({ header: `t=${NOW_S},v1=${hex(decoded, `${NOW_S}.${BODY}`)}` }).cause).toMatchObject({
    in: 'sender',
    text: expect.stringContaining('the text itself is the key'),
  });
  expect(verify({ header: `t=${NOW_S},v1=${hex(SECRET, BODY)}` }).cause?.text).toContain(
    'made over the body alone',
  );
});

it('says what is odd about the header', () => {
  const odd = (header: string | null) => verify({ header }).odd.join('\n');
  expect(odd(null)).toContain('there is no stripe-signature');
  expect(odd(`v1=${hex(SECRET, `${NOW_S}.${BODY}`)}`)).toContain('has no t=');
  expect(odd(`t=${NOW_S},v0=${hex(SECRET, `${NOW_S}.${BODY}`)}`)).toContain('v0 only');
  expect(odd(`t=${NOW_S},v1=abc`)).toContain('a v1 of 3 characters');
});
