/** The sandbox's words. Its world says the version of each object, so that events of one order go on from call to call. */
import type { Config, Source } from '../../config/resolved.ts';
import { Plot } from '../sandbox/plot.ts';
import { createRandom } from '../sandbox/random.ts';
import { providerOf } from '../sandbox/world.ts';
import type { World } from '../sandbox/world.ts';
import type { Teller, ToldEvent } from './teller.ts';
import { LIFE } from './teller.ts';

class SandboxOrder {
  readonly plot: Plot;
  private isMade = false;
  private paid: string | null = null;
  private isDisputed = false;

  constructor(order: string, seed: string) {
    this.plot = new Plot(order, createRandom(`${seed}/${order}`));
  }

  make(): void {
    if (!this.isMade) this.plot.order('order.created');
    this.isMade = true;
  }

  say(type: string): void {
    this.make();
    this.plot.order(type);
  }

  /** Another payment each time. */
  attempt(...types: string[]): void {
    this.make();
    this.plot.payment(this.plot.newPayment(), ...types);
  }

  pay(): string {
    this.make();
    if (this.paid === null) {
      this.paid = this.plot.newPayment();
      this.plot.payment(this.paid, 'payment.authorized', 'payment.captured');
    }
    return this.paid;
  }

  dispute(...types: string[]): void {
    const payment = this.pay();
    if (!this.isDisputed) this.plot.dispute(payment, 'dispute.opened');
    this.isDisputed = true;
    this.plot.dispute(payment, ...types);
  }
}

const say = (type: string) => (order: SandboxOrder) => order.say(type);

const WORDS: Record<string, (order: SandboxOrder) => unknown> = {
  'order.created': (order) => order.make(),
  'order.updated': say('order.updated'),
  'order.confirmed': say('order.confirmed'),
  'order.note_added': say('order.note_added'),
  'order.cancelled': say('order.cancelled'),
  'order.expired': say('order.expired'),
  'order.shipped': (order) => {
    order.pay();
    order.plot.ship();
  },
  'payment.authorized': (order) => order.attempt('payment.authorized'),
  'payment.captured': (order) => order.pay(),
  'payment.failed': (order) => order.attempt('payment.failed'),
  'payment.cancelled': (order) => order.attempt('payment.authorized', 'payment.cancelled'),
  'payment.partially_refunded': (order) => order.plot.refund(order.pay(), 'payment.partially_refunded'),
  'payment.refunded': (order) => order.plot.refund(order.pay(), 'payment.refunded'),
  'refund.failed': (order) => {
    order.plot.refund(order.pay(), 'payment.refunded');
    order.plot.refund(order.pay(), 'refund.failed');
  },
  'dispute.opened': (order) => order.dispute(),
  'dispute.won': (order) => order.dispute('dispute.won'),
  'dispute.lost': (order) => order.dispute('dispute.lost'),
};

function live(order: SandboxOrder): void {
  order.attempt('payment.failed');
  order.pay();
  order.plot.ship();
  order.plot.refund(order.pay(), 'payment.partially_refunded');
  order.dispute('dispute.won');
  order.plot.refund(order.pay(), 'payment.refunded');
}

export class SandboxTeller implements Teller {
  readonly words = Object.keys(WORDS);
  private readonly config: Config;
  private readonly source: Source;
  private readonly world: World;
  private readonly seed: string;
  private readonly orders = new Map<string, { order: SandboxOrder; told: number }>();

  constructor(config: Config, source: Source, world: World, seed: string) {
    this.config = config;
    this.source = source;
    this.world = world;
    this.seed = seed;
  }

  *tell(id: string, word: string): Generator<ToldEvent[]> {
    const entry = this.orders.get(id) ?? { order: new SandboxOrder(id, this.seed), told: 0 };
    this.orders.set(id, entry);
    if (word === LIFE) live(entry.order);
    else WORDS[word]?.(entry.order);
    const { happenings } = entry.order.plot;
    const story = { order: id, numericOrder: false, title: word, happenings };
    for (const happening of happenings.slice(entry.told)) {
      entry.told += 1;
      const event = this.world.happen(story, happening, Date.now());
      // The world counts from one; a store may have seen an earlier world.
      const unique = `evt_${this.seed}_${event.id.slice('evt_'.length)}`;
      const body = event.body.replace(`"${event.id}"`, `"${unique}"`);
      yield [{ source: this.sourceOf(event.object), id: unique, type: event.type, body }];
    }
  }

  /** The demo's shop and its payment provider are two sources; a configuration with one gets all from it. */
  private sourceOf(object: string): string {
    const name = providerOf(object);
    return this.config.sources.get(name)?.provider.name === 'sandbox' ? name : this.source.name;
  }
}
