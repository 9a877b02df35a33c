/**
 * One webhook request, from its request line to the answer; what happens to an authentic body is `accept`.
 *
 * 1. Cheap checks come first: source, method, media type, declared length. A flood of nonsense costs little (R1).
 * 2. Every request is answered, whatever is thrown.
 * 3. A body that was not read to its end never stays on the connection to be taken for the next request.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Clock } from '../clock.ts';
import type { Config, Source } from '../config/resolved.ts';
import type { Log } from '../log.ts';
import { UNKNOWN_SOURCE } from '../metrics.ts';
import type { Metrics } from '../metrics.ts';
import type { Refusal, RefusalCode } from '../providers/provider.ts';
import { isRefusal } from '../providers/provider.ts';
import type { Accept } from './accept.ts';
import { acknowledgement, INTERNAL_ERROR, refusalAnswer } from './answer.ts';
import type { Answer } from './answer.ts';
import { ByteLease } from './byte-budget.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { Deadlines } from './deadlines.ts';
import { discardRest, readBody } from './read-body.ts';
import type { RefusalLog } from './refusal-log.ts';
import { significantHeaders } from './significant-headers.ts';

export interface ReceiveDeps {
  sources: Config['sources'];
  accept: Accept;
  refusals: RefusalLog;
  metrics: Metrics;
  log: Log;
  clock: Clock;
  budget: ByteBudget;
  deadlines: Deadlines;
  bodyTimeoutMs: number;
  /** Where providers send to; null: what the request's Host says. */
  publicUrl: string | null;
}

/** `target` is the path with its query, `name` the part of it that names the source. */
export type Receive = (
  request: IncomingMessage,
  response: ServerResponse,
  name: string,
  target: string,
) => Promise<Answer>;

const JSON_MEDIA_TYPE = /^(?:application\/json|application\/[\w.+-]+\+json|text\/json)$/;
/** How much of a body that nobody wants is read and thrown away, so that its sender comes to read the answer. */
const UNWANTED_BYTES = 65_536;

export function createReceive(deps: ReceiveDeps): Receive {
  const reportFailure = createFailureReport(deps.log);
  return async (request, response, name, target) => {
    const startedAtMs = deps.clock();
    const source = deps.sources.get(name);
    const label = source?.name ?? UNKNOWN_SOURCE;
    let answer: Answer;
    try {
      const taken =
        source === undefined ? SOURCE_UNKNOWN : await take(deps, request, response, source, target);
      if ('known' in taken) {
        deps.metrics.answered(
          label,
          taken.known ? 'known' : 'accepted',
          (deps.clock() - startedAtMs) / 1_000,
        );
        return taken.answer;
      }
      deps.metrics.answered(label, 'refused', 0);
      deps.refusals.record(label, taken, () =>
        significantHeaders(headersOf(request.rawHeaders), source?.provider.headers ?? []),
      );
      answer = refusalAnswer(taken);
    } catch (thrown) {
      reportFailure(label, thrown);
      deps.metrics.answered(label, 'failed', 0);
      answer = INTERNAL_ERROR;
    }
    if (request.complete) return answer;
    // A sender that waits for "100 Continue" may or may not send its body now, and a slow one may never end:
    // only closing is unambiguous.
    if (request.headers.expect !== undefined || answer.status === 408) return { ...answer, close: true };
    discardRest(request, { maxBytes: source?.maxBytes ?? UNWANTED_BYTES, timeoutMs: deps.bodyTimeoutMs });
    return answer;
  };
}

/** At most one line a second, with the number of those that got none: whoever can cause failures could fill a disk. */
function createFailureReport(log: Log): (source: string, error: unknown) => void {
  let quietUntilMs = 0;
  let count = 0;
  return (source, error) => {
    count += 1;
    if (performance.now() < quietUntilMs) return;
    log.error({ source, error, count }, 'deliveries could not be taken; this is one of them');
    quietUntilMs = performance.now() + 1_000;
    count = 0;
  };
}

interface Taken {
  known: boolean;
  answer: Answer;
}

async function take(
  deps: ReceiveDeps,
  request: IncomingMessage,
  response: ServerResponse,
  source: Source,
  target: string,
): Promise<Taken | Refusal> {
  if (request.method !== 'POST') return refuse('method_not_allowed', 'webhooks are sent by POST');
  if (!takesMediaType(request.headers['content-type'], source)) {
    return refuse('media_type', `this source takes ${mediaTypesOf(source).join(', ')}, or no media type`);
  }
  const receivedAtMs = deps.clock();
  const lease = new ByteLease(deps.budget);
  try {
    const limits = { maxBytes: source.maxBytes, timeoutMs: deps.bodyTimeoutMs };
    const body = await readBody(request, response, limits, { deadlines: deps.deadlines, lease });
    if (isRefusal(body)) return body;
    const base = deps.publicUrl ?? `http://${request.headers.host ?? ''}`;
    const headers = headersOf(request.rawHeaders);
    const delivery = { source: source.name, headers, body, url: base + target, receivedAtMs };
    const accepted = await deps.accept(delivery, source);
    if (isRefusal(accepted)) return accepted;
    return { known: accepted.known, answer: acknowledgement(source.provider, accepted.known) };
  } finally {
    lease.end();
  }
}

const refuse = (refused: RefusalCode, message: string): Refusal => ({ refused, message });
const SOURCE_UNKNOWN = refuse(
  'source_unknown',
  'no source of this name is configured; check the end of the URL',
);

/** A body without a declared type is taken: its signature and its bytes tell what it is. */
function takesMediaType(header: string | undefined, source: Source): boolean {
  if (header === undefined) return true;
  const end = header.indexOf(';');
  const mediaType = (end < 0 ? header : header.slice(0, end)).trim().toLowerCase();
  return (
    mediaType === 'application/json' ||
    JSON_MEDIA_TYPE.test(mediaType) ||
    (source.provider.mediaTypes ?? []).includes(mediaType)
  );
}

const mediaTypesOf = ({ provider }: Source): string[] => [
  'application/json',
  'application/*+json',
  'text/json',
  ...(provider.mediaTypes ?? []),
];

/** Repeated headers are kept apart: joined, two signatures could no longer be told from one. */
function headersOf(raw: string[]): Record<string, string[]> {
  const headers = Object.create(null) as Record<string, string[]>;
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] ?? '').toLowerCase();
    const value = raw[i + 1] ?? '';
    const values = headers[name];
    if (values === undefined) headers[name] = [value];
    else values.push(value);
  }
  return headers;
}
