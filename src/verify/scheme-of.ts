/** Which way of signing an adapter's is. */
import type { Scheme } from './scheme.ts';
import { anySenderScheme, standardWebhooksScheme } from './standard-webhooks-scheme.ts';
import { stripeScheme } from './stripe-scheme.ts';

const SCHEMES: Record<string, Scheme> = {
  sandbox: standardWebhooksScheme,
  'standard-webhooks': anySenderScheme,
  stripe: stripeScheme,
};

/** By the adapter's name; a team's own adapter has none and is asked all the same. */
export const schemeOf = (provider: string): Scheme | null =>
  Object.hasOwn(SCHEMES, provider) ? (SCHEMES[provider] ?? null) : null;
