/**
 * What is true at each provider of a story: what the story says, and what it tells of other objects. The real API and
 * the pure player answer from here, so that they never differ.
 *
 * 1. What the story says of an object counts until it says otherwise; only then does what is told of it count.
 * 2. Of what is told the highest version is true, delivered or lost; without versions the last.
 */
import { canonicalVersion, compareVersions } from '../../../ordering/version.ts';
import { fullObject, orderOf } from './told-event.ts';
import type { ToldEvent } from './told-event.ts';
import type { Scenario, ScenarioAnswer } from '../format/scenario.ts';

/** One object as its provider knows it. */
export interface TrueObject {
  object: string;
  type: string | null;
  version: string | null;
  payment: string | null;
  order: string | null;
  created: string | null;
  facts: Record<string, string>;
  parts: { type: string; facts: Record<string, string> }[];
  /** Word for word, where the story gives it. */
  body?: unknown;
}

type State = TrueObject | 'gone';

interface ObjectHistory {
  isSaid: boolean;
  states: State[];
}

export class Truth {
  readonly #order: string | null;
  readonly #sources = new Map<string, Map<string, ObjectHistory>>();

  constructor(scenario: Pick<Scenario, 'order' | 'truth'>) {
    this.#order = scenario.order ?? null;
    this.change(scenario.truth ?? {});
  }

  /** From now on it is so. */
  change(truth: NonNullable<Scenario['truth']>): void {
    for (const [source, answers] of Object.entries(truth)) {
      for (const [name, answer] of Object.entries(answers)) {
        const object = fullObject(name, answer === 'gone' ? null : answer.type);
        const history = this.#historyOf(source, object);
        history.isSaid = true;
        history.states.push(answer === 'gone' ? 'gone' : this.#complete(object, answer));
      }
    }
  }

  /** `hasMeaning`: false for a word that raises the version and says nothing of the order. */
  tell(event: ToldEvent, { hasMeaning }: { hasMeaning: boolean }): void {
    const history = this.#historyOf(event.source, event.object);
    const last = history.states.at(-1);
    const before = last === undefined || last === 'gone' ? null : last;
    if (history.isSaid || (before !== null && isOlder(event.version, before.version))) return;
    if (!hasMeaning) {
      history.states.push({
        ...(before ?? this.#complete(event.object, { type: null })),
        version: event.version,
      });
      return;
    }
    const { object, type, version, payment, created, facts } = event;
    const parts = partsAfter(before?.parts ?? [], { type, facts });
    const order = event.order ?? orderOf(object, this.#order);
    history.states.push({ object, type, version, payment, order, created, facts, parts });
  }

  /** `behind`: as it was so many changes ago. null: the provider does not know it. */
  about(source: string, object: string, behind = 0): TrueObject | null {
    const state = this.#sources
      .get(source)
      ?.get(object)
      ?.states.at(-1 - behind);
    return state === undefined || state === 'gone' ? null : state;
  }

  objectsOf(source: string, order: string): TrueObject[] {
    const objects = [...(this.#sources.get(source)?.keys() ?? [])];
    return objects.flatMap((object) => {
      const known = this.about(source, object);
      return known?.order === order ? [known] : [];
    });
  }

  #historyOf(source: string, object: string): ObjectHistory {
    const objects = this.#sources.get(source) ?? new Map<string, ObjectHistory>();
    this.#sources.set(source, objects);
    const history = objects.get(object) ?? { isSaid: false, states: [] };
    objects.set(object, history);
    return history;
  }

  #complete(object: string, answer: Exclude<ScenarioAnswer, 'gone'>): TrueObject {
    return {
      object,
      type: answer.type,
      version: answer.version ?? null,
      payment: answer.payment ?? null,
      order: answer.order ?? orderOf(object, this.#order),
      created: answer.created ?? null,
      facts: answer.facts ?? {},
      parts: (answer.parts ?? []).map(({ type, facts }) => ({ type, facts })),
      ...(answer.body === undefined ? {} : { body: answer.body }),
    };
  }
}

function isOlder(version: string | null, before: string | null): boolean {
  const [a, b] = [version, before].map((one) => (one === null ? null : canonicalVersion(one)));
  return a != null && b != null && compareVersions(a, b) < 0;
}

const REFUNDS: ReadonlySet<string> = new Set([
  'payment.partially_refunded',
  'payment.refunded',
  // Stripe's own words.
  'charge.refunded',
  'refund.created',
]);

/** A payment lists its refunds; one that failed is none any more. */
function partsAfter(
  before: TrueObject['parts'],
  { type, facts }: TrueObject['parts'][number],
): TrueObject['parts'] {
  if (type === 'refund.failed') return before.filter((part) => part.facts['refund'] !== facts['refund']);
  return REFUNDS.has(type) ? [...before, { type, facts }] : before;
}
