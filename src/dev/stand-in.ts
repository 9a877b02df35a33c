/**
 * The providers' APIs that `inorder dev --stand-in` plays, for whoever has no account there: the variables that the
 * configuration reads their address and key from are given those of the stand-in.
 */
import { randomBytes } from 'node:crypto';
import { InorderError } from '../errors.ts';
import type { Closing } from '../processes/closing.ts';
import { startStripe } from './stripe/server.ts';
import { StripeWorld } from './stripe/world.ts';

export interface StandIns {
  environment: Record<string, string>;
  /** By source. */
  stripe: Map<string, StripeWorld>;
  /** For a person. */
  lines: string[];
}

export async function startStandIns(written: unknown, closing: Closing): Promise<StandIns> {
  const standIns: StandIns = { environment: {}, stripe: new Map(), lines: [] };
  for (const [name, source] of Object.entries(fieldsOf(fieldsOf(written)['sources']))) {
    const { provider, apiBase, apiKey, mode, account } = fieldsOf(source);
    if (provider !== 'stripe') continue;
    const world = new StripeWorld({
      seed: randomBytes(8).toString('hex'),
      livemode: mode === 'live',
      ...(typeof account === 'string' ? { account } : {}),
    });
    standIns.stripe.set(name, world);
    if (apiKey === undefined) {
      standIns.lines.push(`${name}: Stripe is played; it has no apiKey, so its API is never asked.`);
      continue;
    }
    const key = `rk_test_${randomBytes(12).toString('hex')}`;
    const server = await startStripe(world, key);
    closing.add("the stand-in for Stripe's API", () => server.close());
    Object.assign(standIns.environment, {
      [variableOf(apiBase, name, 'apiBase', 'STRIPE_API_URL')]: server.url,
      [variableOf(apiKey, name, 'apiKey', 'STRIPE_API_KEY')]: key,
    });
    standIns.lines.push(
      `${name}: Stripe and its API are played at ${server.url}; the real one is never asked.`,
    );
  }
  return standIns;
}

function variableOf(reference: unknown, source: string, field: string, example: string): string {
  const { fromEnvironment } = fieldsOf(reference);
  if (typeof fromEnvironment === 'string') return fromEnvironment;
  throw new InorderError(
    'usage',
    `--stand-in has to tell sources.${source} whom to ask: write ${field}: env('${example}', { optional: true }) there.`,
  );
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
