/**
 * `inorder simulate`: signed webhooks in a provider's real shape, as they happened or as on a bad day, and whether
 * each was answered as it has to be.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config, Source } from '../../config/resolved.ts';
import { InorderError } from '../../errors.ts';
import { didYouMean } from '../../ordering/did-you-mean.ts';
import { createRandom } from '../sandbox/random.ts';
import { tellThere } from './control.ts';
import type { DevFile } from './control.ts';
import { createTeller } from './create-teller.ts';
import { deliver } from './deliver.ts';
import type { Delivered } from './deliver.ts';
import { guard } from './guard.ts';
import { plan } from './plan.ts';
import type { PlannedDelivery, Story } from './plan.ts';
import { LIFE } from './teller.ts';
import type { ToldEvent } from './teller.ts';

export interface SimulateOptions {
  word: string;
  order: string | null;
  count: number;
  /** Deliveries per second; null: one order in the pace of life, several as fast as they are answered. */
  rate: number | null;
  story: Story | null;
  /** Base URL of a receiver. */
  target: string;
  /** null: another one each time. */
  seed: string | null;
  yes: boolean;
  /** The dev whose receiver is the target; null: none. */
  dev: DevFile | null;
  onDelivered: (delivered: Delivered) => void;
}

export interface Simulated {
  orders: string[];
  deliveries: Delivered[];
  /** The source's provider can be asked, and knows nothing of what was told. */
  isAskedInVain: boolean;
}

const MAX_AT_ONCE = 16;
/** Between two things that happen to one order; a person can watch, and an answer of the API is not ahead of it. */
const STEP_MS = 1_000;
/** All has happened before the first of it is told. */
const NEEDS_ALL: ReadonlySet<Story | null> = new Set(['reordered', 'late', 'lost']);

export async function simulate(config: Config, source: Source, options: SimulateOptions): Promise<Simulated> {
  const { word, story, count, target, dev } = options;
  guard(source, new URL(target), { order: options.order !== null, yes: options.yes });
  const seed = options.seed ?? randomBytes(4).toString('hex');
  const teller = createTeller(config, source, seed);
  if (word !== LIFE && !teller.words.includes(word)) throw unknownWord(source, word, teller.words);
  const control = dev?.webhooks === target && dev.played.includes(source.name) ? dev.control : null;
  const tell = (order: string) =>
    control === null ? teller.tell(order, word) : tellThere(control, source.name, order, word);

  const orders = Array.from({ length: count }, (_, index) => orderName(options.order, seed, index, count));
  const random = createRandom(seed);
  const pace = createPace(options.rate);
  const deliveries: Delivered[] = [];
  const send = async (order: string, planned: PlannedDelivery[]): Promise<void> => {
    for (const one of planned) {
      await pace();
      const to = config.sources.get(one.event.source) ?? source;
      const delivered = await deliver(target, to, order, one);
      deliveries.push(delivered);
      options.onDelivered(delivered);
    }
  };
  const play = async (order: string): Promise<void> => {
    const chance = random.fork(order);
    const all: ToldEvent[] = [];
    for await (const events of tell(order)) {
      if (NEEDS_ALL.has(story)) {
        all.push(...events);
        continue;
      }
      await send(order, plan(events, story, chance));
      // As in life: the next thing happens when the last one has been told, and not before.
      if (options.rate === null && count === 1) await delay(STEP_MS);
    }
    if (NEEDS_ALL.has(story)) await send(order, plan(all, story, chance));
  };
  // One after the other inside an order, as a story is told; several orders side by side.
  const waiting = orders.values();
  const players = Array.from({ length: Math.min(count, MAX_AT_ONCE) }, async () => {
    for (const order of waiting) await play(order);
  });
  await Promise.all(players);
  // A sender of one's own is asked at its own address, played or not.
  const knows = control !== null && source.provider.name !== 'standard-webhooks';
  return { orders, deliveries, isAskedInVain: source.api !== null && !knows };
}

function orderName(given: string | null, seed: string, index: number, count: number): string {
  const base = given ?? `sim-${seed}`;
  return count === 1 ? base : `${base}-${index + 1}`;
}

function unknownWord({ provider }: Source, word: string, words: readonly string[]): InorderError {
  const hint = didYouMean(word, words) || ` It can say:\n  ${[LIFE, ...words].join('\n  ')}`;
  return new InorderError('usage', `${provider.name} does not say '${word}'.${hint}`);
}

/** Each call waits for its turn. */
function createPace(rate: number | null): () => Promise<void> {
  if (rate === null) return () => Promise.resolve();
  let nextMs = Date.now();
  return async () => {
    const waitMs = nextMs - Date.now();
    nextMs = Math.max(nextMs, Date.now()) + 1_000 / rate;
    if (waitMs > 0) await delay(waitMs);
  };
}
