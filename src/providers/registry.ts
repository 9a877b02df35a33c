/** Every provider a config may name. Adding one: its file beside this one, its line here, its world in the tests. */
import type { Provider } from './provider.ts';
import { sandbox } from './sandbox.ts';
import { standardWebhooks } from './standard-webhooks.ts';
import { stripe } from './stripe/stripe.ts';

export const providers = {
  sandbox,
  stripe,
  'standard-webhooks': standardWebhooks,
} satisfies Record<string, Provider>;

export type ProviderName = keyof typeof providers;
