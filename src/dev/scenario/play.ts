/**
 * Plays a story's steps on its stage, one after the other; what says `parallel` goes with its neighbours that do. What
 * has to be answered at once is compared at once. Waits are for signs, never for a time.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { InorderError } from '../../errors.ts';
import { parseDurationMs } from '../../ordering/duration.ts';
import { workflowIdOf } from '../../temporal/workflow-id.ts';
import { bytesOf, send, signed } from './deliver.ts';
import type { DeliveryAnswer } from './deliver.ts';
import type { Diff } from './verdict/judge.ts';
import { act } from './person.ts';
import { writerOf } from './providers/provider-writers.ts';
import type { UnsignedDelivery } from './providers/provider-writer.ts';
import type { ScenarioDelivery, ScenarioStep } from './format/scenario.ts';
import type { Stage } from './stage/stage.ts';
import { isProcessStep } from './stage/story-processes.ts';
import { Telling } from './providers/told-event.ts';
import { untilMet } from './until.ts';

export interface Played {
  diffs: Diff[];
  /** Refused deliveries by their code. */
  refused: Record<string, number>;
  /** What was taken, to be delivered once more at the end. */
  taken: { source: string; unsigned: UnsignedDelivery; delivery: ScenarioDelivery }[];
}

/** Of a delivery that is answered 503, where the story does not say what is answered. */
const MOST_TRIES = 20;
const SENT_AGAIN_AFTER_MS = 500;

type Path = (string | number)[];

export async function play(stage: Stage, onStep: (index: number) => void): Promise<Played> {
  const { deliveries } = stage.story.scenario;
  const player = new Player(stage);
  for (let index = 0; index < deliveries.length;) {
    onStep(index);
    const group = groupAt(deliveries, index);
    await Promise.all(group.map((step, offset) => player.step(step, ['deliveries', index + offset])));
    index += group.length;
  }
  return player.played;
}

function groupAt(steps: readonly ScenarioStep[], index: number): ScenarioStep[] {
  let end = index;
  while (end < steps.length && isParallel(steps[end])) end++;
  return steps.slice(index, Math.max(end, index + 1));
}
const isParallel = (step: ScenarioStep | undefined): boolean =>
  step !== undefined && 'parallel' in step && step.parallel === true;

class Player {
  readonly played: Played = { diffs: [], refused: {}, taken: [] };
  readonly #stage: Stage;
  readonly #telling: Telling;
  readonly #bytes = new Map<string, UnsignedDelivery>();

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#telling = new Telling(stage.story.scenario);
  }

  async step(step: ScenarioStep, path: Path): Promise<void> {
    const { truth, api, effects, signal } = this.#stage;
    if ('after' in step && step.after !== undefined)
      await delay(parseDurationMs(step.after) ?? 0, undefined, { signal });
    if ('person' in step) {
      const refused = await act(this.#stage, step);
      if (step.refused === undefined ? refused !== null : refused?.includes(step.refused) !== true) {
        const expected = step.refused === undefined ? 'it is taken' : `it is refused: ${step.refused}`;
        this.played.diffs.push({
          path,
          expected,
          actual: refused === null ? 'it was taken' : `refused: ${refused}`,
        });
      }
    } else if ('until' in step) {
      const missed = await untilMet(this.#stage, step, this.played.refused);
      if (missed !== null) this.played.diffs.push({ path: [...path, 'until'], ...missed });
    } else if ('truth' in step) truth.change(step.truth);
    else if ('api' in step) for (const [source, mood] of Object.entries(step.api)) api.setMood(source, mood);
    else if ('effects' in step)
      for (const [effect, mood] of Object.entries(step.effects)) effects.setMood(effect, mood);
    else if ('terminate' in step) await this.#terminate(step.terminate);
    else if (isProcessStep(step)) await this.#stage.processes.act(step);
    else await this.#deliver(step, path);
  }

  async #terminate(id: string): Promise<void> {
    const { machine, storyEnvironment: environment, client } = this.#stage;
    const workflowId = workflowIdOf({ machine, environment, id });
    await client.client.getHandle(workflowId).terminate('ended by hand, as the story says');
  }

  async #deliver(step: ScenarioDelivery, path: Path): Promise<void> {
    const { config, story, truth, secretsOf, processes, signal } = this.#stage;
    const source = config.sources.get(step.source);
    if (source === undefined) throw new InorderError('usage', `there is no source '${step.source}'`);
    const event = this.#telling.tell(step);
    if (event !== null && step.type !== undefined) {
      const hasMeaning = writerOf(source.provider.name).hasMeaning(event.type, source);
      truth.tell(event, { hasMeaning });
    }
    const bytes = { file: story.file, source, number: Number(path[1]) + 1 };
    const again =
      step.type === undefined && event === null
        ? this.#bytes.get(`${step.source}/${step.event ?? ''}`)
        : undefined;
    const unsigned = again ?? (await bytesOf(step, event, bytes));
    this.#bytes.set(`${step.source}/${unsigned.id}`, unsigned);
    if (step.lost === true) return;
    const attempt = async (): Promise<DeliveryAnswer> => {
      const url = `${await processes.receiverUrl(step.receiver ?? 1)}/webhooks/${step.source}`;
      const request = signed(unsigned, step, { source, secrets: secretsOf(step.source), nowMs: Date.now() });
      return send(url, request);
    };
    // As a provider would: what could not be kept just now is sent again.
    const tryUntilTaken = async (): Promise<DeliveryAnswer> => {
      const isOpen = step.http === undefined && step.error === undefined;
      for (let tries = 1; ; tries++) {
        const answer = await attempt();
        if (!isOpen || answer.status !== 503 || tries === MOST_TRIES) return answer;
        await delay(SENT_AGAIN_AFTER_MS, undefined, { signal });
      }
    };
    const once = async (): Promise<void> => this.#note(step, path, unsigned, await tryUntilTaken());
    const copies = step.copies ?? 1;
    if (step.parallel === true) await Promise.all(Array.from({ length: copies }, once));
    else for (let copy = 0; copy < copies; copy++) await once();
  }

  #note(step: ScenarioDelivery, path: Path, unsigned: UnsignedDelivery, answer: DeliveryAnswer): void {
    const { diffs, refused, taken } = this.played;
    const isTaken = answer.status !== null && answer.status >= 200 && answer.status < 300;
    if (isTaken) taken.push({ source: step.source, unsigned, delivery: step });
    else if (answer.error !== null) refused[answer.error] = (refused[answer.error] ?? 0) + 1;
    const isAsExpected =
      step.http === undefined
        ? isTaken || step.error !== undefined
        : step.http === (answer.status ?? 'no answer');
    const actual = `${answer.status ?? 'no answer'}${answer.error === null ? '' : ` ${answer.error}`}`;
    if (!isAsExpected)
      diffs.push({ path: [...path, 'http'], expected: String(step.http ?? 'any 2xx'), actual });
    else if (step.error !== undefined && step.error !== answer.error) {
      diffs.push({ path: [...path, 'error'], expected: step.error, actual });
    }
  }
}

/** Everything that was taken once more, with new signatures; what comes of it is for the caller to see. */
export async function deliverAgain(stage: Stage, { taken }: Played): Promise<Diff[]> {
  const diffs: Diff[] = [];
  for (const { source: name, unsigned, delivery } of taken) {
    const source = stage.config.sources.get(name);
    if (source === undefined) continue;
    const { headers } = delivery;
    const request = signed(unsigned, headers === undefined ? {} : { headers }, {
      source,
      secrets: stage.secretsOf(name),
      nowMs: Date.now(),
    });
    const { status, error } = await send(`${await stage.processes.receiverUrl(1)}/webhooks/${name}`, request);
    if (status !== null && status >= 200 && status < 300) continue;
    const actual = `${status ?? 'no answer'} ${error ?? ''}`.trim();
    diffs.push({ path: ['again'], expected: `${unsigned.id} is taken again`, actual });
  }
  return diffs;
}
