/**
 * Short lives in every sequence, in memory: the pure core alone, without processes, HTTP or crashes. Told apart from the
 * comparison and counted apart: it is inorder's rules, not inorder, that end right here.
 *
 * 1. Every life that the sandbox tells in so few events, once; every sequence of these; and each with one event twice,
 *    the copy last. An event that never came is one that comes last: the provider's list brings it.
 * 2. With versions and without; the provider's answer comes at once, or after all has been delivered.
 * 3. The provider's records go on as its events are delivered: what it answers is true at that moment.
 */
import { compileMachine } from '../../ordering/compile-machine.ts';
import { decide, withSources } from '../../ordering/decide.ts';
import { freshState } from '../../ordering/fresh-state.ts';
import type { Machine, MachineDefinition } from '../../ordering/machine.ts';
import { settle } from '../../ordering/settle.ts';
import type { Contract, Decision, EffectRequest } from '../../ordering/state.ts';
import { dueAt } from '../../ordering/timers.ts';
import { wake } from '../../ordering/wake.ts';
import { compareEffects } from '../compare.ts';
import { createRandom } from '../sandbox/random.ts';
import { tellStories } from '../sandbox/stories.ts';
import type { Story } from '../sandbox/story.ts';
import { World, type SandboxEvent } from '../sandbox/world.ts';
import { answerOf, toOrderEvent } from './core-events.ts';

export interface EverySequence {
  maxEvents: number;
  lives: number;
  plays: number;
  wrong: number;
  doubled: number;
  missing: number;
  /** Ended with a person asked. */
  asking: number;
  /** The first few that were not right. */
  examples: string[];
}

const CONTRACTS: readonly Contract[] = ['unordered', 'sequence'];
const ANSWERS = ['at once', 'at the end'] as const;
const TOLD = 2_000;
const MAX_EXAMPLES = 5;
const START_MS = 1_764_500_000_000;
const DEADLINES_FAR_MS = 3_600_000;

export async function playEverySequence(
  maxEvents: number,
  options: { machine: MachineDefinition; onLife: (played: number, of: number) => void; signal: AbortSignal },
): Promise<EverySequence> {
  const machine = compiled(options.machine);
  const lives = shortLives(maxEvents);
  const result: EverySequence = {
    ...{
      maxEvents,
      lives: lives.length,
      plays: 0,
      wrong: 0,
      doubled: 0,
      missing: 0,
      asking: 0,
      examples: [],
    },
  };
  for (const [index, story] of lives.entries()) {
    options.signal.throwIfAborted();
    options.onLife(index, lives.length);
    for (const sequence of sequencesOf(story.happenings.length)) {
      for (const contract of CONTRACTS) {
        for (const answers of ANSWERS) {
          const problems = await playOnce(machine, story, { sequence, contract, answers }, result);
          if (problems.length === 0 || result.examples.length >= MAX_EXAMPLES) continue;
          const types = sequence.map((of) => story.happenings[of]?.type).join(' → ');
          result.examples.push(
            `${story.title}, ${contract}, answers ${answers}: ${types}: ${problems.join('; ')}`,
          );
        }
      }
    }
  }
  return result;
}

/** (1) One of each: the ids and amounts do not matter. */
function shortLives(maxEvents: number): Story[] {
  const lives = new Map<string, Story>();
  for (const story of tellStories(TOLD, createRandom('short lives'))) {
    if (story.happenings.length > maxEvents) continue;
    const shape = story.happenings.map(({ object, type }) => `${type} ${object.replaceAll(story.order, '')}`);
    lives.set(shape.join(), lives.get(shape.join()) ?? story);
  }
  return [...lives.values()];
}

/** (1) */
function sequencesOf(length: number): number[][] {
  const plain = permutations(Array.from({ length }, (_, index) => index));
  return [...plain, ...plain.flatMap((sequence) => sequence.map((of) => [...sequence, of]))];
}

function permutations(list: number[]): number[][] {
  if (list.length < 2) return [list];
  return list.flatMap((first) =>
    permutations(list.filter((item) => item !== first)).map((rest) => [first, ...rest]),
  );
}

interface Play {
  sequence: number[];
  contract: Contract;
  answers: (typeof ANSWERS)[number];
}

/** Adds to the counts; returns what is not right, in words. */
async function playOnce(
  machine: Machine,
  story: Story,
  { sequence, contract, answers }: Play,
  counts: EverySequence,
): Promise<string[]> {
  const policy = {
    ...{ contract, api: true, find: true, first: contract === 'sequence' ? '1' : 'any', gapTimeoutMs: 1_000 },
    ...{ lagWindowMs: 1_000, askDeadlineMs: DEADLINES_FAR_MS, effects: 'run' as const },
  };
  const key = { machine: machine.name, environment: 'demo', id: story.order };
  let state = withSources(freshState(machine, key), { sandbox: policy });
  let now = START_MS;
  const world = new World();
  const events: SandboxEvent[] = [];
  const settled = new Set<string>();
  const effects: EffectRequest[] = [];

  const take = (decision: Decision): void => {
    state = decision.state;
    effects.push(...decision.effects);
    for (const { ref, outcome } of decision.outcomes) if (outcome !== 'held') settled.add(ref.event);
  };
  const answerAll = async (): Promise<void> => {
    for (const [stream, { ask }] of Object.entries(state.streams)) {
      if (ask?.retryAt !== null || ask === null) continue;
      take(settle(machine, state, await answerOf(world, stream, now), ask.n, ++now));
    }
  };

  for (const of of sequence) {
    // (3)
    while (events.length <= of) {
      const happening = story.happenings[events.length];
      if (happening === undefined) break;
      events.push(world.happen(story, happening, START_MS, START_MS + events.length * 1_000));
    }
    const event = toOrderEvent(events[of] as SandboxEvent, of + 1);
    const isHeld = state.streams[event.stream]?.held.some((held) => held.event === event.event) ?? false;
    now += 10;
    if (!settled.has(event.event) && !isHeld) take(decide(machine, state, [event], now));
    if (answers === 'at once') await answerAll();
  }
  // What is open is answered, and what waits for a moment is woken then; a status's own deadline is a day away.
  for (let turns = 0; turns < 50; turns++) {
    await answerAll();
    const due = dueAt(state);
    const isOpen = Object.values(state.streams).some(({ ask }) => ask?.retryAt === null);
    if (isOpen) continue;
    if (due === null || due > START_MS + DEADLINES_FAR_MS) break;
    now = Math.max(now, due);
    take(wake(machine, state, now));
  }

  // One row per key, as in the store.
  const requested = new Map(effects.map((effect) => [`${effect.name}/${effect.once}`, effect]));
  const effectCounts = { expected: 0, done: 0, repeated: 0, missing: 0, unexpected: 0 };
  const done = [...requested].map(([key, { name, facts, cause }]) => ({
    ...{ key, name, order: story.order },
    of: name === 'bookRefund' ? (facts['refund'] ?? null) : name === 'alertFinance' ? cause.type : null,
  }));
  const isWrong = state.status !== story.truth.status;
  counts.plays++;
  const problems = compareEffects(story.truth.effects, done, effectCounts).map(({ text }) => text);
  counts.wrong += isWrong ? 1 : 0;
  counts.doubled += effectCounts.repeated;
  counts.missing += effectCounts.missing;
  counts.asking += state.attention.length > 0 ? 1 : 0;
  return [
    ...(isWrong ? [`is ${state.status}, and ${story.truth.status} in truth`] : []),
    ...(state.attention.length > 0 ? [`asks for a person: ${JSON.stringify(state.attention)}`] : []),
    ...problems,
  ];
}

function compiled(definition: MachineDefinition): Machine {
  const result = compileMachine(definition);
  if ('problems' in result) throw new Error(result.problems.join('\n'));
  return result.machine;
}
