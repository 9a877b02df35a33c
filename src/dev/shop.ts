/**
 * The world around inorder in demo and dev: the sandbox providers, the application that takes effects, and the
 * variables that `inorder.config.ts` reads to find them.
 */
import { randomBytes } from 'node:crypto';
import type { Closing } from '../processes/closing.ts';
import { startSandbox, type SandboxServer } from './sandbox/server.ts';
import { World } from './sandbox/world.ts';
import {
  startEffectReceiver,
  type EffectReceiver,
  type EffectReceiverOptions,
} from './traffic/effect-receiver.ts';

export interface Shop {
  world: World;
  sandbox: SandboxServer;
  effects: EffectReceiver;
  /** By source: the first signs, the second did before. */
  webhookSecrets: { shop: [string, string]; payments: [string] };
  environment: Record<string, string> & { EFFECTS_URL: string; EFFECTS_SECRET: string } & {
    SHOP_API_URL: string;
    SHOP_API_KEY: string;
  };
}

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const newKey = () => randomBytes(24).toString('hex');

export async function openShop(
  closing: Closing,
  {
    effectsSecret = newSecret(),
    ...options
  }: Omit<EffectReceiverOptions, 'secret'> & { effectsSecret?: string },
): Promise<Shop> {
  const world = new World();
  const apiKeys = { shop: newKey(), payments: newKey() };
  const sandbox = await startSandbox(world, apiKeys);
  closing.add('the sandbox', () => sandbox.close());
  const effects = await startEffectReceiver({ ...options, secret: effectsSecret });
  closing.add('the receiver of effects', () => effects.close());
  const webhookSecrets: Shop['webhookSecrets'] = {
    shop: [newSecret(), newSecret()],
    payments: [newSecret()],
  };
  return {
    world,
    sandbox,
    effects,
    webhookSecrets,
    environment: {
      SHOP_WEBHOOK_SECRET: webhookSecrets.shop[0],
      SHOP_WEBHOOK_SECRET_OLD: webhookSecrets.shop[1],
      SHOP_API_URL: `${sandbox.url}/shop`,
      SHOP_API_KEY: apiKeys.shop,
      PAYMENTS_WEBHOOK_SECRET: webhookSecrets.payments[0],
      PAYMENTS_API_URL: `${sandbox.url}/payments`,
      PAYMENTS_API_KEY: apiKeys.payments,
      EFFECTS_URL: `${effects.url}/effects`,
      EFFECTS_SECRET: effectsSecret,
    },
  };
}
