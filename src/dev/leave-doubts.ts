/**
 * A few orders beside the storm that end in doubt on purpose, for whoever looks around: what inorder does when it
 * cannot know is worth seeing, too. They are sent when the storm is over and counted nowhere.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { selectOverview, selectStatuses, type Overview } from '../store/overview.ts';
import type { Store } from '../store/store.ts';
import { tellDoubts, type Doubt } from './sandbox/doubts.ts';
import { createRandom } from './sandbox/random.ts';
import type { ToldOrder } from './sandbox/story.ts';
import { sendStorm, type SendOptions } from './traffic/send.ts';
import type { Storm } from './traffic/storm.ts';

const LOOK_EVERY_MS = 50;
/** Longer than a retry and an ask on a busy machine. */
const LIMIT_MS = 60_000;

export interface DoubtOptions extends Pick<
  SendOptions,
  'world' | 'receiverUrls' | 'secrets' | 'failure' | 'signal'
> {
  store: Store;
  ordersOf: { machine: string; environment: string };
  mark: string;
}

export interface Doubts {
  orders: Doubt[];
  /** Those that are not in doubt, as they should be. */
  undoubted: Doubt[];
}

export async function leaveDoubts(options: DoubtOptions): Promise<Doubts> {
  const { store, failure, signal } = options;
  const orders = tellDoubts(options.mark);
  const { storm, steps } = inSteps(orders);
  const until = async (isSo: () => Promise<boolean>): Promise<void> => {
    for (const deadline = Date.now() + LIMIT_MS; Date.now() < deadline;) {
      const failed = failure();
      if (failed) throw failed;
      if (await isSo()) return;
      await delay(LOOK_EVERY_MS, undefined, { signal });
    }
  };
  const storedBefore = storedIn(await selectOverview(store));
  const isDecided = async (count: number): Promise<boolean> => {
    const overview = await selectOverview(store);
    return storedIn(overview) - storedBefore >= count && overview.unsettled === 0;
  };
  await sendStorm(storm, {
    ...options,
    naiveUrl: null,
    random: createRandom('doubts'),
    onProgress: () => {},
    // The next thing is not announced before the last one has been decided.
    hold: (index) => (steps.has(index) ? until(() => isDecided(index)) : null),
  });
  let undoubted = orders;
  await until(async () => {
    const statuses = await selectStatuses(store, options.ordersOf);
    const isHeld = ((await selectOverview(store)).events['held'] ?? 0) > 0;
    undoubted = orders.filter(({ order, shows }) => {
      const stored = statuses.get(order);
      return !stored || !(shows === 'held' ? isHeld : stored.attention !== '');
    });
    return undoubted.length === 0;
  });
  return { orders, undoubted };
}

const storedIn = ({ events }: Overview): number =>
  Object.values(events).reduce((sum, total) => sum + total, 0);

/** All stories at once, aligned at their ends: what may be held for long comes last. */
function inSteps(orders: ToldOrder[]): { storm: Storm; steps: Set<number> } {
  const length = Math.max(...orders.map(({ happenings }) => happenings.length));
  const happenings: Storm['happenings'] = [];
  const steps = new Set<number>();
  for (let step = 0; step < length; step++) {
    if (step > 0) steps.add(happenings.length);
    for (const story of orders) {
      const index = step - (length - story.happenings.length);
      const happening = story.happenings[index];
      if (!happening) continue;
      const earlier = story.happenings.slice(0, index).filter(({ object }) => object === happening.object);
      happenings.push({ atMs: 0, story, happening, version: earlier.length + 1 });
    }
  }
  const deliveries = happenings.map((_, of): Storm['deliveries'][number] => ({
    ...{ atMs: 0, of, kind: 'first', forgery: null, copy: 0 },
  }));
  return { storm: { happenings, deliveries, lost: [] }, steps };
}
