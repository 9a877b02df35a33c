import { describe, expect, it } from 'vitest';
import { order } from '../../../../../machines/order.ts';
import type { Source } from '../../../../../src/config/resolved.ts';
import { signed } from '../../../../../src/dev/scenario/deliver.ts';
import { writerOf } from '../../../../../src/dev/scenario/providers/provider-writers.ts';
import { scenarioSchema } from '../../../../../src/dev/scenario/format/scenario.ts';
import { storyConfig } from '../../../../../src/dev/scenario/stage/story-config.ts';
import { Telling } from '../../../../../src/dev/scenario/providers/told-event.ts';

const NOW_MS = Date.parse('2026-11-30T12:00:00Z');

/** One delivery of a source, as its own adapter reads it back. */
function readBack(source: Record<string, unknown>, delivery: Record<string, unknown>) {
  const scenario = scenarioSchema.parse({
    name: 'a story',
    order: '1042',
    sources: { it: source },
    deliveries: [{ source: 'it', event: 'evt_1', ...delivery }],
    expect: {},
  });
  const writer = writerOf(String(source['provider']));
  const secrets = { current: writer.newSecret(), old: writer.newSecret() };
  const config = storyConfig(scenario, 'story.yaml', {
    machine: order,
    environment: 'story',
    apiOf: () => ({ url: 'http://127.0.0.1:1', key: 'k' }),
    secretOf: () => secrets.current,
    oldSecretOf: () => secrets.old,
    effects: { url: 'http://127.0.0.1:1', secret: writerOf('sandbox').newSecret() },
  });
  const resolved = config.sources.get('it') as Source;
  const [step] = scenario.deliveries;
  if (step === undefined || !('source' in step) || 'person' in step) throw new Error('no delivery');
  const event = new Telling(scenario).tell(step);
  if (event === null) throw new Error('nothing was told');
  const request = signed({ id: event.id, body: writer.body(event, resolved) }, step, {
    source: resolved,
    secrets,
    nowMs: NOW_MS,
  });
  const headers: Record<string, string[]> = {};
  for (const [name, value] of request.headers) (headers[name] ??= []).push(value);
  const raw = { source: 'it', headers, body: request.body, url: '', receivedAtMs: NOW_MS };
  const { provider, settings } = resolved;
  return {
    verdict: provider.verify(raw, resolved.secrets, settings),
    event: provider.parse(raw, settings)[0],
  };
}

describe.each([
  ['sandbox', { provider: 'sandbox' }],
  ['stripe', { provider: 'stripe' }],
  ['standard-webhooks', { provider: 'standard-webhooks' }],
])('%s in a story', (_name, source) => {
  const payment = { type: 'payment.captured', object: 'pi_1', facts: { amount: 4_200, currency: 'eur' } };

  it('is read back by its adapter as it was told', () => {
    const { verdict, event } = readBack(source, payment);
    expect(verdict).toEqual({ secretId: 'a' });
    expect(event).toMatchObject({
      eventId: 'evt_1',
      type: 'payment.captured',
      object: 'payment:pi_1',
      payment: 'pi_1',
      order: '1042',
      facts: { amount: '4200', currency: 'eur' },
    });
  });

  it.each(['before', 'after'])('bears a signature of another secret %s its own', (another) => {
    expect(readBack(source, { ...payment, sign: { another } }).verdict).toEqual({ secretId: 'a' });
  });

  it.each([
    [{ secret: 'wrong' }, 'signature_invalid'],
    [{ secret: 'wrong', another: 'after' }, 'signature_invalid'],
    [{ changedByte: true }, 'signature_invalid'],
    [{ age: '10m' }, 'timestamp_outside'],
    [{ age: '-10m' }, 'timestamp_outside'],
  ])('is refused when it is signed with %o', (sign, refused) => {
    expect(readBack(source, { ...payment, sign }).verdict).toMatchObject({ refused });
  });
});

describe('stripe in a story', () => {
  it.each([
    ['charge.failed', {}, 'payment.failed', 'payment:pi_1'],
    ['payment_intent.canceled', {}, 'payment.cancelled', 'payment:pi_1'],
    ['charge.refunded', { captured: 900, refunded: 900 }, 'payment.refunded', 'payment:pi_1'],
    ['charge.refunded', { captured: 900, refunded: 400 }, 'payment.partially_refunded', 'payment:pi_1'],
    ['refund.failed', { refund: 're_1', amount: 400 }, 'refund.failed', 'payment:pi_1'],
    ['payment_intent.processing', {}, null, 'payment:pi_1'],
    ['checkout.session.completed', {}, 'payment.captured', 'payment:pi_1'],
  ])('%s with %o says %s', (type, facts, neutral, object) => {
    expect(readBack({ provider: 'stripe' }, { type, payment: 'pi_1', facts }).event).toMatchObject({
      type: neutral,
      object,
      payment: 'pi_1',
      order: '1042',
    });
  });

  it.each([
    ['charge.dispute.created', {}, 'dispute.opened'],
    ['charge.dispute.closed', { status: 'won' }, 'dispute.won'],
    ['charge.dispute.closed', { status: 'lost' }, 'dispute.lost'],
  ])('%s with %o says %s', (type, facts, neutral) => {
    const told = { type, object: 'dp_1', payment: 'pi_1', facts };
    expect(readBack({ provider: 'stripe' }, told).event).toMatchObject({
      type: neutral,
      object: 'dispute:dp_1',
      payment: 'pi_1',
    });
  });
});

describe('a sender of Standard Webhooks in a story', () => {
  it('has its fields where the source says', () => {
    const paths = { id: 'no', type: 'what', order: 'of.shop', version: 'of.step' };
    const source = { provider: 'standard-webhooks', contract: 'sequence', paths };
    const told = { type: 'order.cancelled', object: '1042', version: 7 };
    expect(readBack(source, told).event).toMatchObject({
      eventId: 'evt_1',
      type: 'order.cancelled',
      object: 'order:1042',
      order: '1042',
      version: '7',
    });
  });
});
