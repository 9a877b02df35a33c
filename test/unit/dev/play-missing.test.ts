import { expect, test } from 'vitest';
import { env, http } from '../../../src/config/written.ts';
import { hasSandbox, playMissing } from '../../../src/dev/play-missing.ts';

const effects = { url: 'http://127.0.0.1:1/effects', secret: 'whsec_ours' };
const written = {
  sources: {
    stripe: {
      secrets: [
        { id: 'a', value: env('STRIPE_WEBHOOK_SECRET') },
        { id: 'old', value: env('STRIPE_WEBHOOK_SECRET_OLD', { optional: true }) },
      ],
      apiKey: env('STRIPE_API_KEY'),
      apiBase: env('STRIPE_API_URL', { optional: true }),
    },
  },
  effects: { fulfil: http({ url: env('EFFECTS_URL'), secret: env('EFFECTS_SECRET') }) },
};

test('what is needed and not set is made up by what it stands for; what is optional is left away', () => {
  const { environment, lines } = playMissing(written, {}, effects);
  expect(environment).toEqual({
    EFFECTS_URL: effects.url,
    EFFECTS_SECRET: effects.secret,
    STRIPE_WEBHOOK_SECRET: expect.stringMatching(/^whsec_.{44}$/) as string,
    STRIPE_API_KEY: 'not-set',
  });
  expect(lines).toEqual([
    'STRIPE_WEBHOOK_SECRET is not set and was made up: real webhooks are refused until it is.',
    'STRIPE_API_KEY is not set: the provider refuses to answer until it is.',
  ]);
});

test('what is set is not touched, also by a file; empty is unset', () => {
  const variables = { STRIPE_WEBHOOK_SECRET: 'mine', STRIPE_API_KEY_FILE: '/run/key', EFFECTS_URL: '' };
  const { environment, lines } = playMissing(written, variables, effects);
  expect(Object.keys(environment)).toEqual(['EFFECTS_URL', 'EFFECTS_SECRET']);
  expect(lines).toEqual([]);
});

test('what is no configuration needs nothing', () => {
  expect(playMissing({ sources: null, effects: [] }, {}, effects)).toEqual({ environment: {}, lines: [] });
});

test("names such as SHOP_WEBHOOK_SECRET are the sandbox's only where somebody of it is received from", () => {
  expect(hasSandbox(written)).toBe(false);
  expect(hasSandbox({ sources: { ...written.sources, shop: { provider: 'sandbox' } } })).toBe(true);
  expect(hasSandbox(null)).toBe(false);
});
