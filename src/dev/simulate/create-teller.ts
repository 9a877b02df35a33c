/** Whose words a source's provider speaks. */
import type { Config, Source } from '../../config/resolved.ts';
import { InorderError } from '../../errors.ts';
import { World } from '../sandbox/world.ts';
import { StripeWorld } from '../stripe/world.ts';
import { SandboxTeller } from './sandbox-teller.ts';
import { StandardWebhooksTeller } from './standard-webhooks-teller.ts';
import { StripeTeller } from './stripe-teller.ts';
import type { Teller } from './teller.ts';

/** `seed`: the same one gives the same ids. */
export function createTeller(config: Config, source: Source, seed: string): Teller {
  switch (source.provider.name) {
    case 'stripe':
      return new StripeTeller(source, stripeWorldOf(source, seed));
    case 'sandbox':
      return new SandboxTeller(config, source, new World(), seed);
    case 'standard-webhooks':
      return new StandardWebhooksTeller(config, source, seed);
    default:
      throw new InorderError(
        'usage',
        `The adapter '${source.provider.name}' is one of your own; simulate speaks as stripe, standard-webhooks and sandbox do.`,
      );
  }
}

const stripeWorldOf = ({ mode, account }: Source, seed: string): StripeWorld =>
  new StripeWorld({ seed, livemode: mode === 'live', ...(account === null ? {} : { account }) });
