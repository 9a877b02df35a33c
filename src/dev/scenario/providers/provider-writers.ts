/** The providers that a story can speak for. */
import { InorderError } from '../../../errors.ts';
import { didYouMean } from '../../../ordering/did-you-mean.ts';
import type { ProviderWriter } from './provider-writer.ts';
import { writeSandbox } from './write-sandbox.ts';
import { writeStandardWebhooks } from './write-standard-webhooks.ts';
import { writeStripe } from './write-stripe.ts';

const WRITERS: Record<string, ProviderWriter> = {
  sandbox: writeSandbox,
  stripe: writeStripe,
  'standard-webhooks': writeStandardWebhooks,
};

export function writerOf(provider: string): ProviderWriter {
  const writer = WRITERS[provider];
  if (writer !== undefined) return writer;
  const known = Object.keys(WRITERS);
  throw new InorderError(
    'usage',
    `A story cannot speak for the provider '${provider}'.${didYouMean(provider, known) || ` It can for: ${known.join(', ')}.`}`,
  );
}
