/** What `inorder dev` does for `inorder simulate`: tellers of what it plays, and the file by which they are found. */
import { randomBytes } from 'node:crypto';
import type { Config } from '../../config/resolved.ts';
import type { Closing } from '../../processes/closing.ts';
import type { World } from '../sandbox/world.ts';
import type { StripeWorld } from '../stripe/world.ts';
import { startControl, writeDevFile } from './control.ts';
import { SandboxTeller } from './sandbox-teller.ts';
import { StandardWebhooksTeller } from './standard-webhooks-teller.ts';
import { StripeTeller } from './stripe-teller.ts';
import type { Teller } from './teller.ts';

export interface OpenToSimulate {
  directory: string;
  config: Config;
  closing: Closing;
  /** Of the receiver, with /webhooks at its end. */
  webhooksUrl: string;
  /** The worlds that APIs answer from; null: Stripe is not played. */
  sandbox: World;
  stripe: Map<string, StripeWorld> | null;
}

/** Returns what a person may try. */
export async function openToSimulate(options: OpenToSimulate): Promise<string[]> {
  const { directory, config, closing, webhooksUrl } = options;
  const tellers = tellersFor(options);
  if (tellers.size === 0) return [];
  const control = await startControl(tellers);
  closing.add('the control of what is played', () => control.close());
  const played = [...tellers.keys()];
  const webhooks = webhooksUrl.replace(/\/webhooks$/, '');
  closing.add(
    'the file for simulate',
    await writeDevFile(directory, { control: control.url, webhooks, played }),
  );
  const first = played.find((name) => config.sources.get(name)?.environment !== 'live');
  return first === undefined ? [] : [`Try it        npx inorder simulate ${first} life`];
}

function tellersFor({ config, sandbox, stripe }: OpenToSimulate): Map<string, Teller> {
  const tellers = new Map<string, Teller>();
  // Ids of another time than those that are stored from the last.
  const seed = randomBytes(4).toString('hex');
  let sandboxTeller: SandboxTeller | null = null;
  for (const [name, source] of config.sources) {
    const world = stripe?.get(name);
    if (world !== undefined) tellers.set(name, new StripeTeller(source, world));
    else if (source.provider.name === 'sandbox') {
      sandboxTeller ??= new SandboxTeller(config, source, sandbox, seed);
      tellers.set(name, sandboxTeller);
    } else if (source.provider.name === 'standard-webhooks') {
      tellers.set(name, new StandardWebhooksTeller(config, source, seed));
    }
  }
  return tellers;
}
