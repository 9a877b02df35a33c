/** A source's API in memory: what the writers answer, by the moods that the story gives it. */
import type { Source } from '../../../config/resolved.ts';
import { parseDurationMs } from '../../../ordering/duration.ts';
import { ApiUnavailable } from '../../../providers/api-client.ts';
import { parseJsonText } from '../../../providers/json.ts';
import type { ApiClient } from '../../../providers/provider.ts';
import { isOn, oneRequestLater } from '../stage/moods.ts';
import { writerOf } from '../providers/provider-writers.ts';
import type { ApiMood } from '../format/scenario.ts';
import type { Truth } from '../providers/truth.ts';

export class PureApis {
  readonly asked: Record<string, number> = {};
  readonly #truth: Truth;
  readonly #moods = new Map<string, ApiMood>();

  constructor(truth: Truth) {
    this.#truth = truth;
  }

  setMood(source: string, mood: ApiMood): void {
    this.#moods.set(source, { ...this.#moods.get(source), ...mood });
  }
  moodOf(source: string): ApiMood {
    return this.#moods.get(source) ?? {};
  }

  slowMs(source: string): number {
    return parseDurationMs(this.moodOf(source).slow ?? '0ms') ?? 0;
  }

  clientOf(source: Source): ApiClient {
    return { get: (path) => Promise.resolve().then(() => this.#get(source, path)) };
  }

  #get(source: Source, path: string): { status: 'ok'; body: unknown } | { status: 'gone' } {
    const { name } = source;
    this.asked[name] = (this.asked[name] ?? 0) + 1;
    const mood = this.moodOf(name);
    this.#moods.set(name, oneRequestLater(mood));
    const timeoutMs = source.api?.timeoutMs ?? Infinity;
    if (this.slowMs(name) >= timeoutMs)
      throw new ApiUnavailable(`no answer from the API within ${timeoutMs} ms`);
    if (isOn(mood.down)) throw new ApiUnavailable('the API answered 503');
    if (isOn(mood.limited)) {
      const seconds = Math.ceil((parseDurationMs(mood.retryAfter ?? '1s') ?? 0) / 1_000);
      throw new ApiUnavailable('the API answered 429', seconds * 1_000);
    }
    const url = new URL(`http://story${path}`);
    const segments = url.pathname.split('/').slice(1).map(decodeURIComponent);
    const wrong = mood.wrong ?? null;
    const known = { source, truth: this.#truth, behind: mood.behind ?? 0, wrong };
    const reply = writerOf(source.provider.name).answer({ path: segments, query: url.searchParams }, known);
    if (wrong === 'a_page' || wrong === 'half') throw new ApiUnavailable("the API's answer is not JSON");
    if (reply.status === 404 || reply.status === 410) return { status: 'gone' };
    if (reply.status >= 300) throw new ApiUnavailable(`the API answered ${reply.status}`);
    return { status: 'ok', body: parseJsonText(JSON.stringify(reply.body)) };
  }
}
