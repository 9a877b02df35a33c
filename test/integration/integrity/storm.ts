/** A storm through the whole system, with a few orders that end in doubt, until nothing moves any more. */
import { awaitSettled } from '../../../src/dev/await-settled.ts';
import { leaveDoubts } from '../../../src/dev/leave-doubts.ts';
import { createRandom } from '../../../src/dev/sandbox/random.ts';
import { tellStories } from '../../../src/dev/sandbox/stories.ts';
import type { Story } from '../../../src/dev/sandbox/story.ts';
import { sendStorm } from '../../../src/dev/traffic/send.ts';
import { planStorm } from '../../../src/dev/traffic/storm.ts';
import { selectStatuses } from '../../../src/store/overview.ts';
import type { System } from '../processes/system.ts';

const ORDERS_OF = { machine: 'order', environment: 'demo' };

export interface StormOfTest {
  orders: number;
  seed: string;
  durationMs?: number;
}

export async function sendStories(
  system: Pick<System, 'shop' | 'receiver'>,
  { orders, seed, durationMs = 2_000 }: StormOfTest,
): Promise<Story[]> {
  const random = createRandom(seed);
  const stories = tellStories(orders, random.fork('stories'), `-${seed}`);
  const storm = planStorm(stories, durationMs, random.fork('storm'));
  await sendStorm(storm, {
    ...sending(system),
    naiveUrl: null,
    random: random.fork('send'),
    onProgress: () => {},
    hold: () => null,
  });
  return stories;
}

export async function untilTrue({ store }: Pick<System, 'store'>, stories: Story[]): Promise<void> {
  const end = await awaitSettled(store, {
    isAsExpected: async () => {
      const statuses = await selectStatuses(store, ORDERS_OF);
      return stories.every(({ order, truth }) => statuses.get(order)?.status === truth.status);
    },
    onLook: () => {},
    failure: () => null,
    signal: AbortSignal.timeout(120_000),
  });
  if (end === 'stuck') throw new Error('the storm did not come to rest');
}

/** Orders that are held and orders that wait for a person. */
export async function leaveInDoubt(system: System, seed: string): Promise<void> {
  const { store } = system;
  await leaveDoubts({ ...sending(system), store, ordersOf: ORDERS_OF, mark: `-doubt-${seed}` });
}

const sending = ({ shop, receiver }: Pick<System, 'shop' | 'receiver'>) => ({
  world: shop.world,
  receiverUrls: [`http://127.0.0.1:${receiver.port}/webhooks`],
  secrets: shop.webhookSecrets,
  failure: () => null,
  signal: AbortSignal.timeout(120_000),
});
