/**
 * Plans the proof: what happens to each order, and how badly its webhooks are delivered. A plan is data, and all of it
 * comes from the seed.
 *
 * 1. Every handler gets the same plan, step by step.
 * 2. Each kind of trouble also comes alone, in orders of its own, so that what it does to whom can be told.
 * 3. Orders that are told `in order` come once, one event after the other, each in a second of its own: who is wrong
 *    about these does not know the shop, and proves nothing with the rest.
 * 4. A kill meets all that the process has in hand. Orders that are to be told without it are therefore over before the
 *    first one falls.
 */
import { createRandom, type Random } from '../sandbox/random.ts';
import { tellStories } from '../sandbox/stories.ts';
import { STATUS_OF, type Happening, type Story } from '../sandbox/story.ts';
import { CRASH_POINTS, EFFECTS_OF, type CrashPoint } from './handlers/handler.ts';

export const KINDS = [
  'shuffled',
  'repeated',
  'lost',
  'same second',
  'parallel',
  'killed',
  'all of these',
] as const;
export type Kind = (typeof KINDS)[number] | 'in order';

/** (4) Told one after the other; the orders of one beside each other. */
const PHASES: readonly (readonly Kind[])[] = [
  ['in order'],
  ['shuffled', 'repeated', 'lost', 'same second', 'parallel'],
  ['killed', 'all of these'],
];

/** One announcement and its copies that start in the same turn. */
export interface Step {
  /** After the step before was answered; where that one `runsOn`, after it was sent. */
  waitMs: number;
  /** Index of the happening. */
  of: number;
  copies: number;
  /** The next step does not wait for the answer. */
  runsOn: boolean;
  /** Where who handles it is killed. */
  crash: CrashPoint | null;
}

export interface PlannedOrder {
  story: Story;
  kind: Kind;
  /** In its phase. */
  startsAtMs: number;
  /** When each happening says it happened: seconds after the first. */
  seconds: number[];
  steps: Step[];
  lost: number[];
}

export interface PlanOptions {
  stories: number;
  /** Over how long the orders begin. */
  durationMs: number;
  seed: string;
  mark: string;
}

/** Of the orders; the rest has all of these. */
const SHARES: readonly (readonly [number, Kind])[] = [
  [0.1, 'shuffled'],
  [0.1, 'repeated'],
  [0.1, 'lost'],
  [0.1, 'same second'],
  [0.1, 'parallel'],
  [0.06, 'killed'],
];
const IN_ORDER_SHARE = 0.2;
const FEWEST_IN_ORDER = 12;

export function planProof({ stories, durationMs, seed, mark }: PlanOptions): PlannedOrder[][] {
  const random = createRandom(seed);
  const inOrder = Math.max(FEWEST_IN_ORDER, Math.round(stories * IN_ORDER_SHARE));
  const told = tellStories(stories + inOrder, random.fork('stories'), mark);
  const kinds = dealKinds(stories, random.fork('kinds'));
  const orders = told.map((story, index): PlannedOrder => {
    const kind = kinds[index] ?? 'in order';
    return { story, kind, startsAtMs: 0, ...planOrder(story, kind, random.fork(`plan ${index}`)) };
  });
  return PHASES.map((phase, index) => {
    const own = orders.filter(({ kind }) => phase.includes(kind));
    const phaseMs = (durationMs * own.length) / orders.length;
    const starts = random.fork(`starts ${index}`);
    for (const order of own) order.startsAtMs = Math.round(starts.next() * phaseMs);
    return own;
  });
}

/** By shares, so that a short proof has some of each, too. */
function dealKinds(stories: number, random: Random): Kind[] {
  const alone = SHARES.flatMap(([share, kind]) =>
    Array.from({ length: Math.max(1, Math.floor(stories * share)) }, () => kind),
  );
  const rest = Array.from({ length: stories - alone.length }, (): Kind => 'all of these');
  return random.shuffled([...alone, ...rest]);
}

interface Troubles {
  shuffled: boolean;
  repeated: boolean;
  lost: boolean;
  tied: boolean;
  parallel: boolean;
  killed: boolean;
}

function troublesOf(kind: Kind, random: Random): Troubles {
  const all = kind === 'all of these';
  const has = (own: Kind, share: number) => kind === own || (all && random.chance(share));
  return {
    shuffled: has('shuffled', 0.85),
    repeated: has('repeated', 0.6),
    lost: has('lost', 0.4),
    tied: has('same second', 0.5),
    parallel: has('parallel', 0.4),
    killed: has('killed', 0.05),
  };
}

function planOrder(
  { happenings }: Story,
  kind: Kind,
  random: Random,
): Pick<PlannedOrder, 'seconds' | 'steps' | 'lost'> {
  const troubles = troublesOf(kind, random);
  const meant = indexesOf(happenings, ({ type }) => STATUS_OF[type] !== undefined);
  const lost = troubles.lost ? [random.pick(meant)] : [];
  const arriving = happenings.map((_, index) => index).filter((index) => !lost.includes(index));
  const sequence = troubles.shuffled ? shuffledApart(arriving, random) : arriving;
  const steps = sequence.map((of): Step => {
    const runsOn = troubles.parallel && random.chance(0.6);
    return { waitMs: random.between(0, 600), of, copies: 1, runsOn, crash: null };
  });
  for (const [index, step] of steps.entries()) {
    if (steps[index - 1]?.runsOn) step.waitMs = random.between(0, 12);
  }
  if (troubles.repeated) repeat(steps, random);
  if (troubles.killed) kill(steps, happenings, random);
  return { seconds: secondsOf(happenings.length, troubles.tied, random), steps, lost };
}

/** Another sequence than the one it had, if there is one. */
function shuffledApart(list: number[], random: Random): number[] {
  if (list.length < 2) return list;
  for (;;) {
    const shuffled = random.shuffled(list);
    if (shuffled.some((item, index) => item !== list[index])) return shuffled;
  }
}

/** Twins start with what they repeat; the others come somewhere behind it. */
function repeat(steps: Step[], random: Random): void {
  for (const step of [...steps]) {
    const copies = random.weighted([
      [4, 0],
      [4, 1],
      [2, 2],
    ] as const);
    for (let copy = 0; copy < copies; copy++) {
      if (random.chance(0.4)) {
        step.copies++;
        continue;
      }
      const at = random.between(steps.indexOf(step) + 1, steps.length);
      const later = { waitMs: random.between(0, 600), of: step.of, copies: 1, runsOn: false, crash: null };
      steps.splice(at, 0, later);
    }
  }
}

/** At an event that has an effect: a crash without one shows little. */
function kill(steps: Step[], happenings: readonly Happening[], random: Random): void {
  const effective = steps.filter(({ of }) => {
    const status = STATUS_OF[happenings[of]?.type ?? ''];
    return status !== undefined && EFFECTS_OF[status] !== undefined;
  });
  const step = random.pick(effective.length > 0 ? effective : steps);
  if (step !== undefined) step.crash = random.pick(CRASH_POINTS);
}

/** From a second to minutes apart, or several in one second. */
function secondsOf(count: number, tied: boolean, random: Random): number[] {
  const seconds: number[] = [];
  let now = 0;
  for (let index = 0; index < count; index++) {
    seconds.push(now);
    now += tied && random.chance(0.7) ? 0 : random.between(1, 90);
  }
  return seconds;
}

function indexesOf<T>(list: readonly T[], isWanted: (item: T) => boolean): number[] {
  return list.flatMap((item, index) => (isWanted(item) ? [index] : []));
}
