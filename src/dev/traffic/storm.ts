/**
 * Plans what the provider sends, and when: every announcement of every story, some of them lost, many late, some
 * twice, and what a stranger would send beside them. A plan is data; `send.ts` carries it out.
 *
 * 1. Any announcement may be lost, also the last of its object: nothing that comes later tells that it is missing, so
 *    that it is found only by asking for the list of what happened.
 * 2. At least a fifth of the announcements arrive after a higher version of their object did.
 * 3. A twin starts in the same turn of the event loop as what it repeats, over another connection.
 */
import type { Random } from '../sandbox/random.ts';
import type { Happening, ToldOrder } from '../sandbox/story.ts';

export type Forgery = 'wrong_secret' | 'changed_byte' | 'old_time';

export interface PlannedHappening {
  atMs: number;
  story: ToldOrder;
  happening: Happening;
  /** Of this object, from 1. */
  version: number;
}
export interface PlannedDelivery {
  atMs: number;
  /** Index of the happening it announces. */
  of: number;
  kind: 'first' | 'repeat' | 'twin' | 'forged';
  forgery: Forgery | null;
  /** Copies after the first, numbered, may come under a new message id. */
  copy: number;
}
export interface Storm {
  happenings: PlannedHappening[];
  /** By time; twins directly after what they repeat. */
  deliveries: PlannedDelivery[];
  lost: number[];
}

export interface StormShares {
  /** Of the announcements. */
  lost: number;
  /** Of the announcements that come, at least. */
  overtaken: number;
  /** Of the genuine deliveries. */
  repeated: number;
  /** Of the repeats. */
  twins: number;
  /** Of all deliveries. */
  forged: number;
}
const SHARES: StormShares = { lost: 0.05, overtaken: 0.25, repeated: 0.2, twins: 0.25, forged: 0.05 };

export function planStorm(stories: ToldOrder[], durationMs: number, random: Random, shares = SHARES): Storm {
  const happenings = timeline(stories, durationMs, random.fork('time'));
  const lost = lose(happenings, shares.lost, random.fork('lost'));
  const firsts = delay(happenings, lost, shares.overtaken, random.fork('delay'));
  const repeats = repeat(firsts, shares, random.fork('repeat'));
  const forged = forge(happenings, firsts.length + repeats.length, shares.forged, random.fork('forge'));
  // (3) Also where two happenings are announced at one instant.
  const deliveries = [...[...firsts, ...repeats].sort(byInstant), ...forged].sort((a, b) => a.atMs - b.atMs);
  return { happenings, deliveries, lost: [...lost].sort((a, b) => a - b) };
}

const byInstant = (a: PlannedDelivery, b: PlannedDelivery): number =>
  a.atMs - b.atMs || a.of - b.of || a.copy - b.copy;

function timeline(stories: ToldOrder[], durationMs: number, random: Random): PlannedHappening[] {
  const planned: PlannedHappening[] = [];
  for (const story of stories) {
    let atMs = random.next() * durationMs * 0.75;
    const versions = new Map<string, number>();
    for (const happening of story.happenings) {
      const version = (versions.get(happening.object) ?? 0) + 1;
      versions.set(happening.object, version);
      planned.push({ atMs, story, happening, version });
      atMs += random.between(20, 120);
    }
  }
  return planned.sort((a, b) => a.atMs - b.atMs);
}

function lose(happenings: PlannedHappening[], share: number, random: Random): Set<number> {
  // (1)
  const indexes = happenings.map((_, index) => index);
  return new Set(random.shuffled(indexes).slice(0, Math.round(happenings.length * share)));
}

function delay(
  happenings: PlannedHappening[],
  lost: Set<number>,
  overtakenShare: number,
  random: Random,
): PlannedDelivery[] {
  const firsts = happenings.flatMap(({ atMs }, of): PlannedDelivery[] =>
    lost.has(of)
      ? []
      : [
          {
            atMs: atMs + (random.chance(0.3) ? random.between(50, 900) : random.between(0, 15)),
            of,
            kind: 'first',
            forgery: null,
            copy: 0,
          },
        ],
  );
  // (2) What chance did not shuffle enough, a detour does: a lower version is held up until a higher one has passed.
  const pairs = random.shuffled(pairsOfObjects(firsts, happenings));
  const enough = Math.ceil(firsts.length * overtakenShare);
  for (const [index, [lower, higher]] of pairs.entries()) {
    // Counting is dear beside a detour: a few too many do no harm.
    if (index % 8 === 0 && countOvertaken(firsts, happenings) >= enough) break;
    lower.atMs = Math.max(lower.atMs, higher.atMs + random.between(30, 500));
  }
  return firsts;
}

function pairsOfObjects(
  firsts: PlannedDelivery[],
  happenings: PlannedHappening[],
): [PlannedDelivery, PlannedDelivery][] {
  const last = new Map<string, PlannedDelivery>();
  const pairs: [PlannedDelivery, PlannedDelivery][] = [];
  for (const first of firsts) {
    const { object } = (happenings[first.of] as PlannedHappening).happening;
    const before = last.get(object);
    if (before) pairs.push([before, first]);
    last.set(object, first);
  }
  return pairs;
}

/** How many deliveries come before one of a lower version of the same object. */
export function countOvertaken(
  firsts: readonly { atMs: number; of: number }[],
  happenings: PlannedHappening[],
): number {
  const byObject = new Map<string, { atMs: number; version: number }[]>();
  for (const { atMs, of } of firsts) {
    const { happening, version } = happenings[of] as PlannedHappening;
    byObject.set(happening.object, [...(byObject.get(happening.object) ?? []), { atMs, version }]);
  }
  let count = 0;
  for (const events of byObject.values()) {
    for (const event of events) {
      if (events.some((other) => other.version < event.version && other.atMs > event.atMs)) count++;
    }
  }
  return count;
}

/** Lost, and the last that was said of their object. */
export function countLostLast({ happenings, lost }: Storm): number {
  // Versions of an object rise with the index.
  const last = new Map(happenings.map(({ happening }, index) => [happening.object, index]));
  return lost.filter((index) => last.get(happenings[index]?.happening.object ?? '') === index).length;
}

function repeat(firsts: PlannedDelivery[], shares: StormShares, random: Random): PlannedDelivery[] {
  const count = Math.ceil((firsts.length * shares.repeated) / (1 - shares.repeated));
  const twins = Math.ceil(count * shares.twins);
  return Array.from({ length: count }, (_, index): PlannedDelivery => {
    const first = random.pick(firsts);
    const isTwin = index < twins;
    return {
      atMs: isTwin ? first.atMs : first.atMs + random.between(20, 1_500),
      of: first.of,
      kind: isTwin ? 'twin' : 'repeat',
      forgery: null,
      copy: index + 1,
    };
  });
}

const FORGERIES: readonly Forgery[] = ['wrong_secret', 'changed_byte', 'old_time'];

function forge(
  happenings: PlannedHappening[],
  genuine: number,
  share: number,
  random: Random,
): PlannedDelivery[] {
  const count = Math.ceil((genuine * share) / (1 - share));
  return Array.from({ length: count }, (_, index): PlannedDelivery => {
    const of = random.between(0, happenings.length - 1);
    const { atMs } = happenings[of] as PlannedHappening;
    const forgery = FORGERIES[index % FORGERIES.length] as Forgery;
    return { atMs: atMs + random.between(0, 400), of, kind: 'forged', forgery, copy: index + 1 };
  });
}
