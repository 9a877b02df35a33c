/**
 * Plays a story in memory and in virtual time: the same file, the same judge, milliseconds instead of seconds. What only
 * the real stack has (crashes, outages, HTTP) is not played here; see `needs-real-stack.ts`.
 */
import type { Config, Source } from '../../../config/resolved.ts';
import { InorderError } from '../../../errors.ts';
import { parseDurationMs } from '../../../ordering/duration.ts';
import type { Machine } from '../../../ordering/machine.ts';
import type { RawDelivery } from '../../../providers/provider.ts';
import { acknowledgement, refusalAnswer } from '../../../receiver/answer.ts';
import { bytesOf, signed } from '../deliver.ts';
import { judge, type Diff } from '../verdict/judge.ts';
import type { UnsignedDelivery } from '../providers/provider-writer.ts';
import { writerOf } from '../providers/provider-writers.ts';
import { changes } from '../verdict/changes.ts';
import type { Observation } from '../verdict/observation.ts';
import type { ScenarioDelivery, ScenarioStep, ScenarioUntil } from '../format/scenario.ts';
import type { Story } from '../stage/stage.ts';
import { sourcesWithApi, storyConfig } from '../stage/story-config.ts';
import { Telling } from '../providers/told-event.ts';
import { Truth } from '../providers/truth.ts';
import { missing } from '../verdict/signs.ts';
import { look } from './look.ts';
import { act } from './person.ts';
import { PureWorld } from './world.ts';

/** A story with what it is played by, so that playing it again with another table costs only the playing. */
export interface PureStory extends Story {
  config: Config;
  /** The story's table, compiled. */
  table: Machine;
  secrets: ReadonlyMap<string, { current: string; old: string }>;
}

const ENVIRONMENT = 'test';
/** Nothing is ever sent there. */
const NOWHERE = { url: 'http://127.0.0.1:9', key: 'in-memory' };
const LIMIT_MS = 30_000;

export function preparePure(story: Story): PureStory {
  const { scenario, file, machine } = story;
  const secrets = new Map(
    Object.entries(scenario.sources).map(([source, { provider }]) => {
      const writer = writerOf(provider);
      return [source, { current: writer.newSecret(), old: writer.newSecret() }];
    }),
  );
  const asked = sourcesWithApi(scenario);
  const config = storyConfig(scenario, file, {
    machine,
    environment: ENVIRONMENT,
    apiOf: (source) => (asked.has(source) ? NOWHERE : null),
    secretOf: (source) => secrets.get(source)?.current ?? '',
    oldSecretOf: (source) => secrets.get(source)?.old ?? '',
    effects: { url: NOWHERE.url, secret: writerOf('sandbox').newSecret() },
  });
  const configured = config.machines.get(machine.name);
  if (configured === undefined) throw new InorderError('internal', `no machine ${machine.name} in the story`);
  return { ...story, config, table: configured.machine, secrets };
}

/** Empty: all came out as the story says. */
export async function playPure(story: PureStory, how: HowPlayed = {}): Promise<Diff[]> {
  return await playerOf(story, how).play();
}

export interface HowPlayed {
  /** Decides instead of the story's own table. */
  table?: Machine;
  startAtMs?: number;
}

/** What came of it, without everything once more. */
export async function observePure(story: PureStory, how: HowPlayed = {}): Promise<Observation> {
  return await playerOf(story, how).observe();
}

const playerOf = (story: PureStory, { table = story.table, startAtMs = Date.now() }: HowPlayed): PurePlayer =>
  new PurePlayer(story, table, startAtMs);

type Path = (string | number)[];
interface Outgoing {
  step: ScenarioDelivery;
  path: Path;
  unsigned: UnsignedDelivery;
  source: Source;
}

class PurePlayer {
  readonly #story: PureStory;
  readonly #world: PureWorld;
  readonly #truth: Truth;
  readonly #telling: Telling;
  readonly #bytes = new Map<string, UnsignedDelivery>();
  readonly #diffs: Diff[] = [];
  readonly #refused: Record<string, number> = {};
  readonly #taken: Outgoing[] = [];

  constructor(story: PureStory, machine: Machine, startAtMs: number) {
    const { scenario, config } = story;
    this.#story = story;
    this.#truth = new Truth(scenario);
    this.#telling = new Telling(scenario);
    this.#world = new PureWorld({ config, machine, environment: ENVIRONMENT, truth: this.#truth, startAtMs });
    for (const [source, mood] of Object.entries(scenario.api ?? {})) this.#world.apis.setMood(source, mood);
    for (const [name, mood] of Object.entries(scenario.effects ?? {}))
      this.#world.effects.setMood(name, mood);
  }

  async observe(): Promise<Observation> {
    const { deliveries } = this.#story.scenario;
    for (let index = 0; index < deliveries.length;) index += await this.#group(deliveries, index);
    await this.#rest();
    return this.#look().observation;
  }

  async play(): Promise<Diff[]> {
    const { scenario } = this.#story;
    await this.observe();
    const end = this.#look();
    this.#diffs.push(...judge(scenario, end.observation, ENVIRONMENT));
    if (end.unrest !== null)
      this.#diffs.push({ path: ['expect'], expected: 'the story comes to rest', actual: end.unrest });
    if (scenario.again === false || this.#diffs.length > 0) return this.#diffs;
    for (const one of [...this.#taken])
      await this.#send([{ ...one, step: again(one.step), path: ['again'] }]);
    await this.#rest();
    return [...this.#diffs, ...changes(end.observation, this.#look().observation)];
  }

  /** What says `parallel` goes with its neighbours that do. How many steps were played. */
  async #group(steps: readonly ScenarioStep[], index: number): Promise<number> {
    let end = index;
    while (isParallel(steps[end])) end++;
    if (end === index) await this.#step(steps[index] as ScenarioStep, ['deliveries', index]);
    else {
      const together: Outgoing[] = [];
      for (let at = index; at < end; at++)
        together.push(...(await this.#outgoing(steps[at] as ScenarioDelivery, ['deliveries', at])));
      await this.#send(together);
    }
    return Math.max(end - index, 1);
  }

  async #step(step: ScenarioStep, path: Path): Promise<void> {
    const world = this.#world;
    if ('after' in step && step.after !== undefined)
      await world.runUntil(world.now + (parseDurationMs(step.after) ?? 0));
    if ('person' in step) {
      const refused = act(world, this.#story.scenario, step);
      const isAsExpected =
        step.refused === undefined ? refused === null : refused?.includes(step.refused) === true;
      const expected = step.refused === undefined ? 'it is taken' : `it is refused: ${step.refused}`;
      const actual = refused === null ? 'it was taken' : `refused: ${refused}`;
      if (!isAsExpected) this.#diffs.push({ path, expected, actual });
      await world.runUntil(world.now);
    } else if ('until' in step) await this.#until(step, path);
    else if ('truth' in step) this.#truth.change(step.truth);
    else if ('api' in step)
      for (const [source, mood] of Object.entries(step.api)) world.apis.setMood(source, mood);
    else if ('effects' in step)
      for (const [effect, mood] of Object.entries(step.effects)) world.effects.setMood(effect, mood);
    else if ('source' in step) for (const one of await this.#outgoing(step, path)) await this.#send([one]);
    else throw new InorderError('usage', 'this step needs the real stack: play it without --pure');
  }

  /** The copies of a delivery, with its bytes; what it says is true from now on. */
  async #outgoing(step: ScenarioDelivery, path: Path): Promise<Outgoing[]> {
    const source = this.#story.config.sources.get(step.source);
    if (source === undefined) throw new InorderError('usage', `there is no source '${step.source}'`);
    const event = this.#telling.tell(step);
    if (event !== null && step.type !== undefined)
      this.#truth.tell(event, { hasMeaning: writerOf(source.provider.name).hasMeaning(event.type, source) });
    const known = this.#bytes.get(`${step.source}/${step.event ?? ''}`);
    const about = { file: this.#story.file, source, number: Number(path[1]) + 1 };
    const isRepeat = step.type === undefined && event === null && known !== undefined;
    const unsigned = isRepeat ? known : await bytesOf(step, event, about);
    this.#bytes.set(`${step.source}/${unsigned.id}`, unsigned);
    if (step.lost === true) return [];
    return Array.from({ length: step.copies ?? 1 }, () => ({ step, path, unsigned, source }));
  }

  async #send(outgoing: readonly Outgoing[]): Promise<void> {
    const answers = await this.#world.receive(outgoing.map((one) => this.#raw(one)));
    for (const [index, answer] of answers.entries()) {
      const { step, path, source } = outgoing[index] as Outgoing;
      const isRefused = 'refused' in answer;
      const { status } = isRefused ? refusalAnswer(answer) : acknowledgement(source.provider, answer.known);
      if (isRefused) this.#refused[answer.refused] = (this.#refused[answer.refused] ?? 0) + 1;
      else if (path[0] !== 'again') this.#taken.push(outgoing[index] as Outgoing);
      const error = isRefused ? answer.refused : null;
      const actual = error === null ? String(status) : `${status} ${error}`;
      const isAsExpected =
        step.http === undefined ? !isRefused || step.error !== undefined : step.http === status;
      if (!isAsExpected)
        this.#diffs.push({ path: [...path, 'http'], expected: String(step.http ?? 'any 2xx'), actual });
      else if (step.error !== undefined && step.error !== error)
        this.#diffs.push({ path: [...path, 'error'], expected: step.error, actual });
    }
  }

  #raw({ step, unsigned, source }: Outgoing): RawDelivery {
    const secrets = this.#story.secrets.get(source.name) ?? { current: '', old: '' };
    const request = signed(unsigned, step, { source, secrets, nowMs: this.#world.now });
    const headers: RawDelivery['headers'] = {};
    for (const [name, value] of request.headers) (headers[name.toLowerCase()] ??= []).push(value);
    const url = `http://story/webhooks/${source.name}`;
    return { source: source.name, headers, body: request.body, url, receivedAtMs: this.#world.now };
  }

  // ---- time ----

  #look() {
    return look(this.#world, this.#refused);
  }

  /** Until nothing is due that is waited for. */
  async #rest(limitMs = LIMIT_MS): Promise<void> {
    await this.#runWhile(limitMs, () => this.#look().unrest !== null);
  }

  async #until({ until, within }: ScenarioUntil, path: Path): Promise<void> {
    const limitMs = within === undefined ? LIMIT_MS : (parseDurationMs(within) ?? LIMIT_MS);
    const { order } = this.#story.scenario;
    const missed = () => missing(order, until, this.#look());
    await this.#runWhile(limitMs, () => missed() !== null);
    const rest = missed();
    if (rest !== null) this.#diffs.push({ path: [...path, 'until'], ...rest });
  }

  async #runWhile(limitMs: number, isWaiting: () => boolean): Promise<void> {
    const world = this.#world;
    const giveUpAt = world.now + limitMs;
    while (isWaiting()) {
      const next = world.nextInstant();
      if (next === null || next > giveUpAt) return;
      await world.runUntil(next);
    }
  }
}

const isParallel = (step: ScenarioStep | undefined): boolean =>
  step !== undefined && 'parallel' in step && step.parallel === true;

/** Once more, as it was, and taken. */
function again({ http: _http, error: _error, sign: _sign, ...step }: ScenarioDelivery): ScenarioDelivery {
  return step;
}
