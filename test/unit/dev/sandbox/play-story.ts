/**
 * Plays one story against the pure core, by chance: announcements lost, repeated and shuffled, answers of the
 * provider at any moment, gaps that run out early. What comes out must be the story's truth, whatever chance did.
 */
import { compileMachine } from '../../../../src/ordering/compile-machine.ts';
import { decide, withSources } from '../../../../src/ordering/decide.ts';
import { freshState } from '../../../../src/ordering/fresh-state.ts';
import type { Machine } from '../../../../src/ordering/machine.ts';
import { settle } from '../../../../src/ordering/settle.ts';
import type { Decision, EffectRequest, OrderEvent, OrderState } from '../../../../src/ordering/state.ts';
import { dueAt } from '../../../../src/ordering/timers.ts';
import { wake } from '../../../../src/ordering/wake.ts';
import { order } from '../../../../machines/order.ts';
import { answerOf, toOrderEvent } from '../../../../src/dev/prove/core-events.ts';
import type { Random } from '../../../../src/dev/sandbox/random.ts';
import type { Story } from '../../../../src/dev/sandbox/story.ts';
import { World, type SandboxEvent } from '../../../../src/dev/sandbox/world.ts';

const policy = {
  contract: 'sequence' as const,
  api: true,
  find: true,
  first: '1',
  gapTimeoutMs: 1_000,
  lagWindowMs: 1_000,
  askDeadlineMs: 3_600_000,
  effects: 'run' as const,
};

export interface Played {
  state: OrderState;
  effects: EffectRequest[];
  log: string[];
}

export async function playStory(story: Story, random: Random, lossShare: number): Promise<Played> {
  const machine = machineOf();
  let state = withSources(freshState(machine, { machine: 'order', environment: 'demo', id: story.order }), {
    sandbox: policy,
  });
  let now = 1_764_500_000_000;
  const world = new World();
  const announced = story.happenings.map((happening) => world.happen(story, happening, now));
  const waiting = deliveriesOf(announced, random, lossShare);
  const effects: EffectRequest[] = [];
  const log: string[] = [];
  const settledIds = new Set<string>();

  const take = (what: string, decision: Decision) => {
    log.push(`${what}: ${state.status} → ${decision.state.status}`);
    state = decision.state;
    effects.push(...decision.effects);
    for (const { ref, outcome, reason } of decision.outcomes) {
      log.push(`    ${ref.event} ${outcome} ${reason ?? ''}`);
      if (outcome !== 'held') settledIds.add(ref.event);
    }
  };

  for (let steps = 0; steps < 500; steps++) {
    const open = Object.entries(state.streams).filter(([, { ask }]) => ask?.retryAt === null);
    const due = dueAt(state);
    const moves = [
      ...(waiting.length > 0 ? ['deliver', 'deliver'] : []),
      ...(open.length > 0 ? ['answer'] : []),
      ...(due !== null && due < now + 3_000_000 ? ['wait'] : []),
    ];
    if (moves.length === 0) break;
    const move = random.pick(moves);
    if (move === 'deliver') {
      const batch = waiting.splice(0, random.between(1, 3)).filter(({ event }) => !settledIds.has(event));
      const fresh = batch.filter((event) => !isHeld(state, event));
      if (fresh.length === 0) continue;
      const named = fresh.map(({ type, stream, version }) => `${type} ${stream} v${version}`).join(' + ');
      take(`deliver ${named}`, decide(machine, state, fresh, now));
    } else if (move === 'answer') {
      const [stream, { ask }] = random.pick(open);
      const answer = await answerOf(world, stream, now);
      const said =
        answer.kind === 'snapshot' ? `${answer.snapshot.type} v${answer.snapshot.version}` : 'gone';
      take(
        `answer about ${stream} (${ask?.reason}): ${said}`,
        settle(machine, state, answer, ask?.n ?? 0, now),
      );
    } else {
      now = Math.max(now, due ?? now);
      take('wait', wake(machine, state, now));
    }
    now += random.between(0, 200);
  }
  return { state, effects, log };
}

let compiled: Machine | undefined;
function machineOf(): Machine {
  if (compiled) return compiled;
  const result = compileMachine(order);
  if ('problems' in result) throw new Error(result.problems.join('\n'));
  return (compiled = result.machine);
}

/** Lost ones never come; of each object the last one comes (the storm promises no less). */
function deliveriesOf(announced: SandboxEvent[], random: Random, lossShare: number): OrderEvent[] {
  const last = new Map(announced.map((event) => [event.object, event.id]));
  const heard = announced.filter((event) => last.get(event.object) === event.id || !random.chance(lossShare));
  const twice = heard.filter(() => random.chance(0.2));
  return random
    .shuffled([...heard, ...twice])
    .map((event) => toOrderEvent(event, announced.indexOf(event) + 1));
}

function isHeld(state: OrderState, event: OrderEvent): boolean {
  return state.streams[event.stream]?.held.some((held) => held.event === event.event) ?? false;
}
