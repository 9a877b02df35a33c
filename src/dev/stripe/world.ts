/**
 * A small Stripe: objects with their history, the events that announced each change, and nothing of what inorder makes
 * of them. Time in it is that of its stories, in whole seconds as Stripe's.
 *
 * 1. A happening changes all its objects at once; an event holds its object as it was then.
 * 2. An object belongs to one story. A reader may be behind: it sees the story without its last so many happenings.
 */
import { createHash } from 'node:crypto';
import type { StripeObject } from './objects.ts';

export interface StripeEvent {
  id: string;
  type: string;
  /** Of the event, in seconds since 1970. */
  created: number;
  /** The id of the object it is about. */
  about: string;
  /** What Stripe sends, byte for byte. */
  body: string;
}

export interface StripeHappening {
  story: string;
  name: string;
  events: StripeEvent[];
}

export interface StripeWorldSettings {
  /** The same seed gives the same ids. */
  seed?: string;
  livemode?: boolean;
  /** Of the connected account whose events these are. */
  account?: string;
}

/** What one happening changed, and what is said of it. */
export interface Change {
  name: string;
  created: number;
  objects: StripeObject[];
  says: { type: string; object: StripeObject }[];
}

interface Version {
  step: number;
  value: StripeObject;
}

export const EVENT_API_VERSION = '2026-10-28.endive';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 24;

export class StripeWorld {
  readonly livemode: boolean;
  readonly happenings: StripeHappening[] = [];
  private readonly seed: string;
  private readonly account: string | null;
  private readonly histories = new Map<string, { story: string; versions: Version[] }>();
  /** How many happenings a story has had. */
  private readonly steps = new Map<string, number>();
  private ids = 0;

  constructor({ seed = 'stripe', livemode = true, account }: StripeWorldSettings = {}) {
    this.seed = seed;
    this.livemode = livemode;
    this.account = account ?? null;
  }

  get events(): StripeEvent[] {
    return this.happenings.flatMap(({ events }) => events);
  }

  /** An id in Stripe's form. */
  newId(prefix: string): string {
    this.ids += 1;
    const bytes = createHash('sha256').update(`${this.seed}/${this.ids}`).digest();
    const letters = [...bytes.subarray(0, ID_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]);
    return `${prefix}_${letters.join('')}`;
  }

  happen(story: string, change: Change): StripeHappening {
    const step = (this.steps.get(story) ?? 0) + 1;
    this.steps.set(story, step);
    for (const value of change.objects) {
      const history = this.histories.get(value.id) ?? { story, versions: [] };
      history.versions.push({ step, value: structuredClone(value) });
      this.histories.set(value.id, history);
    }
    const events = change.says.map(({ type, object }) => this.say(type, object, change.created));
    const happening = { story, name: change.name, events };
    this.happenings.push(happening);
    return happening;
  }

  private say(type: string, object: StripeObject, created: number): StripeEvent {
    const id = this.newId('evt');
    const body = {
      id,
      object: 'event',
      ...(this.account === null ? {} : { account: this.account }),
      api_version: EVENT_API_VERSION,
      created,
      data: { object },
      livemode: this.livemode,
      pending_webhooks: 1,
      request: { id: this.newId('req'), idempotency_key: null },
      type,
    };
    return { id, type, created, about: object.id, body: JSON.stringify(body, null, 2) };
  }

  /** The object as a reader sees it that is so many happenings behind; null: not there, or not there yet. */
  find(id: string, behind = 0): StripeObject | null {
    const history = this.histories.get(id);
    if (history === undefined) return null;
    const upTo = (this.steps.get(history.story) ?? 0) - behind;
    const version = history.versions.findLast(({ step }) => step <= upTo);
    return version === undefined ? null : structuredClone(version.value);
  }

  /** All objects of a kind that a reader sees, the newest first, as Stripe lists. */
  list(kind: string, behind = 0): StripeObject[] {
    return [...this.histories.keys()]
      .map((id) => this.find(id, behind))
      .filter((object) => object?.object === kind)
      .reverse() as StripeObject[];
  }
}
