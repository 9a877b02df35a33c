import { expectTypeOf, it } from 'vitest';
import { order } from '../../../machines/order.ts';
import { defineConfig, defineMachine, env, http, ignore, stay } from '../../../src/index.ts';
import type { EffectCall } from '../../../src/index.ts';
import { sandbox } from '../../../src/providers/sandbox.ts';

it('facts are texts by name', () => {
  expectTypeOf<EffectCall['facts']>().toEqualTypeOf<Record<string, string>>();
});

const call = http({ url: env('URL'), secret: env('SECRET', { optional: true }), keyTtl: '24h' });
const six = {
  fulfil: call,
  sendReceipt: call,
  releaseStock: call,
  bookRefund: call,
  revokeAccess: call,
  alertFinance: call,
};
const shop = {
  provider: 'sandbox',
  environment: 'live',
  machine: 'order',
  secrets: [{ id: 'a', value: env('SECRET') }],
  unknownTypes: 'reject',
} as const;

// Compiled by `npm run check`, never called: each mistake must be an error at its own place in the editor.
export function mistakesInAConfiguration(): void {
  defineConfig({
    machines: [order],
    sources: { shop, own: { ...shop, provider: { ...sandbox, name: 'own' }, environment: env('STAGE') } },
    effects: { ...six, pageUs: { run: ({ facts }) => Promise.resolve(void facts['refund']) } },
    attention: { notify: 'pageUs' },
  });
  defineConfig({
    machines: [order],
    sources: {
      // @ts-expect-error a mistyped adapter
      a: { ...shop, provider: 'sandbx' },
      // @ts-expect-error a machine that is not listed
      b: { ...shop, machine: 'oder' },
      // @ts-expect-error a mistyped field
      c: { ...shop, gapTimout: '30s' },
      // @ts-expect-error a mistyped choice
      d: { ...shop, unknownTypes: 'rejct' },
      // @ts-expect-error a number from a variable, which is a text
      e: { ...shop, maxBytes: env('MAX_BYTES') },
      // @ts-expect-error a name that would differ from installation to installation
      f: { ...shop, machine: env('MACHINE') },
      // @ts-expect-error a duration without a unit
      g: { ...shop, tolerance: 5 },
      // @ts-expect-error a duration without a unit
      h: { ...shop, reconcile: { every: 15 } },
    },
    effects: six,
  });
  // @ts-expect-error what is not possible yet
  defineConfig({ machines: [order], sources: { shop }, effects: six, retain: { body: '90d' } });
  // @ts-expect-error an effect of no machine
  defineConfig({ machines: [order], sources: { shop }, effects: { ...six, fulfl: call } });
  // @ts-expect-error effects without a handler
  defineConfig({ machines: [order], sources: { shop }, effects: { fulfil: call } });
  // @ts-expect-error nobody to tell
  defineConfig({ machines: [order], sources: { shop }, effects: six, attention: { notify: 'pageUs' } });
  // @ts-expect-error a mistyped field of an effect
  http({ url: 'https://shop.example', secrt: env('SECRET') });
  defineConfig({
    machines: [order],
    sources: { shop },
    effects: {
      ...six,
      // @ts-expect-error a fact is a text, or absent
      bookRefund: { run: ({ facts }) => Promise.resolve(void ((facts['amount'] satisfies number) + 1)) },
    },
  });
}

export function mistakesInAMachine(): void {
  defineMachine({
    name: 'order',
    version: 1,
    initial: 'new',
    statuses: {
      // @ts-expect-error a mistyped type of a deadline
      new: { deadline: { after: '24h', type: 'order.expird' } },
      // @ts-expect-error a mistyped effect of a status
      paid: { effects: ['fulfl'] },
    },
    // @ts-expect-error a mistyped way of counting
    effects: { fulfil: { once: 'ordr', whenPassed: 'run' } },
    on: {
      'order.expired': { new: ignore('in time'), else: ignore('gone') },
      // @ts-expect-error a mistyped effect of a cell
      'payment.captured': { new: 'paid', paid: stay('again', ['fulfl']) },
      // @ts-expect-error a mistyped effect inside a split cell
      'payment.refunded': { paid: { own: 'paid', other: stay('booked', ['fulfl']) } },
    },
    // @ts-expect-error a mistyped type that may overtake
    ahead: ['order.expird'],
    // @ts-expect-error a mistyped type that steps back
    stepsBack: ['order.expird'],
    // @ts-expect-error a mistyped type of a late rule
    late: { 'order.expird': { new: 'ask' } },
  });
}
