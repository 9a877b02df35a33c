/** The stand-in's objects beside the declarations of Stripe's own package, which its API's description generates. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import * as objects from '../../../../src/dev/stripe/objects.ts';
import type { StripeEvent } from '../../../../src/dev/stripe/world.ts';
import { EVENT_API_VERSION } from '../../../../src/dev/stripe/world.ts';
import { stripeLife } from '../../../../src/dev/stripe/life.ts';
import { API_VERSION } from '../../../../src/providers/stripe/api.ts';
import { types } from '../../../../src/providers/stripe/types.ts';

const require = createRequire(import.meta.url);
const declarationsOf = (file: string) =>
  readFileSync(require.resolve('stripe').replace(/cjs.*$/, `esm/resources/${file}.d.ts`), 'utf8');

/** The fields an interface requires, and those it allows. */
function fieldsOf(file: string, name: string) {
  const body =
    new RegExp(`interface ${name}[^{]*\\{\\n(.*?)^\\}`, 'ms').exec(declarationsOf(file))?.[1] ?? '';
  const fields = [...body.matchAll(/^ {4}(\w+)(\??): /gm)].map(([, field, optional]) => ({
    field,
    optional,
  }));
  const required = fields.filter(({ optional }) => optional === '').map(({ field }) => field as string);
  return { required, all: fields.map(({ field }) => field as string) };
}

const common = { id: 'x_1', created: 1_764_000_000, livemode: true, currency: 'eur' };

describe('an object of the stand-in', () => {
  it.each([
    ['PaymentIntents', 'PaymentIntent', objects.paymentIntent(common, {})],
    ['Charges', 'Charge', objects.charge(common, {})],
    ['Refunds', 'Refund', objects.refund(common, {})],
    ['Disputes', 'Dispute', objects.dispute(common, {})],
    ['Checkout/Sessions', 'Session', objects.checkoutSession(common, {})],
  ])('has every field that Stripe documents for %s, and no other', (file, name, object) => {
    const { required, all } = fieldsOf(file, name);
    expect(required.length).toBeGreaterThan(15);
    expect(required.filter((field) => !(field in object))).toEqual([]);
    expect(Object.keys(object).filter((field) => !all.includes(field))).toEqual([]);
  });

  it('comes in an event that has Stripe’s fields, of the version that is asked for', () => {
    const { required } = fieldsOf('Events', 'EventBase');
    const event = JSON.parse((stripeLife({ order: '1' }).events[0] as StripeEvent).body) as object;
    expect(required.filter((field) => !(field in event))).toEqual([]);
    expect(EVENT_API_VERSION).toBe(API_VERSION);
  });
});

describe('the adapter’s words', () => {
  it('are all that Stripe documents for these objects', () => {
    const documented = [
      ...declarationsOf('Events').matchAll(
        /^ {4}type: '((?:charge|checkout\.session|payment_intent|refund)\.[\w.]+)';/gm,
      ),
    ].map(([, type]) => type);
    expect(new Set(documented)).toEqual(new Set(Object.keys(types)));
  });
});
