/**
 * A sender of one's own, as its source's configuration says that it speaks: the paths are filled in, and the words are
 * those of its types and of the machine. Versions go on from call to call, as long as whoever tells is there.
 */
import type { Config, Source } from '../../config/resolved.ts';
import type { Teller, ToldEvent } from './teller.ts';
import { LIFE } from './teller.ts';

/** What a shop says of an order that goes well. */
const GOOD_LIFE = [
  'order.created',
  'order.confirmed',
  'payment.authorized',
  'payment.captured',
  'order.shipped',
  'order.delivered',
];

export class StandardWebhooksTeller implements Teller {
  readonly words: readonly string[];
  private readonly source: Source;
  private readonly neutral: readonly string[];
  private readonly seed: string;
  private readonly versions = new Map<string, number>();
  private count = 0;

  constructor(config: Config, source: Source, seed: string) {
    this.source = source;
    this.seed = seed;
    const machine = config.machines.get(source.machine)?.machine;
    this.neutral = Object.keys(machine?.on ?? {});
    this.words = [...new Set([...Object.keys(source.types), ...this.neutral])];
  }

  *tell(order: string, word: string): Generator<ToldEvent[]> {
    const types = GOOD_LIFE.filter((type) => this.neutral.includes(type));
    const words = word === LIFE ? types.map((type) => this.ownWordOf(type)) : [word];
    for (const one of words) yield [this.event(order, one)];
  }

  private ownWordOf(type: string): string {
    return Object.entries(this.source.types).find(([, mapped]) => mapped === type)?.[0] ?? type;
  }

  private event(order: string, type: string): ToldEvent {
    const { paths, orderPaths, mode, account } = this.source.settings;
    const id = `evt_${this.seed}_${++this.count}`;
    const body: Record<string, unknown> = {};
    const put = (name: string, value: unknown, byDefault?: string): void => {
      const path = paths[name] ?? byDefault;
      if (path !== undefined) setAt(body, path.split('.'), value);
    };
    put('id', id);
    put('type', type, 'type');
    put('time', new Date().toISOString(), 'timestamp');
    put('created', new Date().toISOString());
    put('kind', type.split('.')[0]);
    put('payment', `pay-${order}`);
    // Last of those that may share a field: where object or payment are the order, it is the order's id.
    put('object', paths['object'] === paths['payment'] ? `pay-${order}` : order);
    put('order', order, orderPaths[0]);
    put('version', this.nextVersion(order));
    if (mode !== null) put('mode', mode);
    if (account !== null) put('account', account);
    put('facts.amount', '2500', 'data.amount');
    put('facts.currency', 'EUR', 'data.currency');
    return { source: this.source.name, id, type, body: JSON.stringify(body) };
  }

  private nextVersion(order: string): number {
    const { first } = this.source.policy;
    const version = (this.versions.get(order) ?? (/^\d+$/.test(first) ? Number(first) - 1 : 0)) + 1;
    this.versions.set(order, version);
    return version;
  }
}

function setAt(target: Record<string, unknown>, [name = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  const inner = target[name];
  const next = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {};
  target[name] = next;
  setAt(next, rest, value);
}
