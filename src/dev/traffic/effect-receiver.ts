/**
 * The shop's own application in the demo: takes the effects, checks their signature, and counts by key and body what
 * it was asked to do. It has bad moments, as applications do: refuses, is slow, does what it was told and dies
 * before it can say so.
 *
 * 1. It honours idempotency keys: a call it has done is answered again and not done again.
 * 2. What counts as done twice does not depend on keys: two calls that mean one effect under two keys are told.
 */
import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { parseJsonBody, isRecord } from '../../providers/json.ts';
import { verifyStandardWebhook } from '../../providers/standard-webhooks-signature.ts';
import { closeAtOnce, listenOnLoopback } from '../listen.ts';
import { createRandom } from '../sandbox/random.ts';
import { readBytes } from './read-bytes.ts';

/** One thing that was done, once per key. */
export interface DoneEffect {
  key: string;
  name: string;
  order: string;
  /** What tells it from another of its name: the refund, or the type that caused it. */
  of: string | null;
}

export interface EffectReceiver {
  readonly url: string;
  readonly done: DoneEffect[];
  /** Calls, also those that were refused, repeated or not answered. */
  readonly calls: number;
  /** Calls under a key that was done before. */
  readonly repeats: number;
  /** What no sender may do: another body under a known key, a signature that does not hold. */
  readonly offences: string[];
  setMood(change: Partial<EffectMood>): void;
  close(): Promise<void>;
}

/** How it behaves towards everybody, whatever the key; beside the bad moments of a key's first call. */
export interface EffectMood {
  /** Answers 503 and does nothing. */
  down: boolean;
  delayMs: number;
  /** Does what it is told, and hangs up instead of answering. */
  silent: boolean;
}
const GOOD_MOOD: EffectMood = { down: false, delayMs: 0, silent: false };

/** How likely each bad moment is at a key's first call. */
export interface BadMoments {
  refuses: number;
  slow: number;
  doesAndIsSilent: number;
  doesAndAnswers500: number;
}
const SOME_BAD_MOMENTS: BadMoments = {
  refuses: 0.06,
  slow: 0.05,
  doesAndIsSilent: 0.03,
  doesAndAnswers500: 0.03,
};
const TOLERANCE_MS = 300_000;
const SLOW_MS = 400;

export interface EffectReceiverOptions {
  secret: string;
  seed: string;
  badMoments?: BadMoments;
  onDone?: (effect: DoneEffect) => void;
}

export async function startEffectReceiver(options: EffectReceiverOptions): Promise<EffectReceiver> {
  const { secret, seed, badMoments = SOME_BAD_MOMENTS, onDone = () => {} } = options;
  const bodies = new Map<string, string>();
  const doneKeys = new Set<string>();
  const done: DoneEffect[] = [];
  const offences: string[] = [];
  let mood: EffectMood = { ...GOOD_MOOD };
  let calls = 0;
  let repeats = 0;

  async function take(
    headers: Record<string, string[]>,
    body: Buffer,
    response: ServerResponse,
  ): Promise<void> {
    calls++;
    const delivery = { source: 'effects', headers, body, url: '', receivedAtMs: Date.now() };
    const verdict = verifyStandardWebhook(
      delivery,
      [{ id: 'a', value: secret, untilMs: null }],
      TOLERANCE_MS,
    );
    // Whose clock is off is told so, and no harm is meant.
    if ('refused' in verdict && verdict.refused === 'timestamp_outside') {
      response.writeHead(401).end();
      return;
    }
    const key = headers['idempotency-key']?.[0] ?? '';
    const effect = readEffect(body);
    if ('refused' in verdict || effect === null || key === '' || headers['webhook-id']?.[0] !== key) {
      offences.push(`a call for ${key || 'no key'} that cannot be trusted`);
      response.writeHead(401).end();
      return;
    }
    const digest = createHash('sha256').update(body).digest('hex');
    const isFirst = !bodies.has(key);
    if (!isFirst && bodies.get(key) !== digest) offences.push(`another body under the key ${key}`);
    bodies.set(key, digest);

    // A mood is that of the moment of the call, also for an answer that takes its time.
    const { down, delayMs, silent } = mood;
    if (delayMs > 0) await delay(delayMs);
    if (down) {
      response.writeHead(503).end();
      return;
    }
    const moment = isFirst ? momentOf(`${seed}/${key}`, badMoments) : 'good';
    if (moment === 'refuses') {
      response.writeHead(503, { 'retry-after': '1' }).end();
      return;
    }
    if (moment === 'slow') await delay(SLOW_MS);
    // (1) Looked at after the wait: another call with this key may have come meanwhile.
    if (doneKeys.has(key)) repeats++;
    else {
      doneKeys.add(key);
      done.push({ key, ...effect });
      onDone({ key, ...effect });
    }
    if (silent || moment === 'doesAndIsSilent') response.destroy();
    else response.writeHead(moment === 'doesAndAnswers500' ? 500 : 200).end();
  }

  const server = createServer((request, response) => {
    readBytes(request)
      .then((body) => take(request.headersDistinct as Record<string, string[]>, body, response))
      .catch(() => response.destroy());
  });
  const url = await listenOnLoopback(server);
  return {
    url,
    done,
    offences,
    get calls() {
      return calls;
    },
    get repeats() {
      return repeats;
    },
    setMood(change) {
      mood = { ...mood, ...change };
    },
    close: () => closeAtOnce(server),
  };
}

type Moment = keyof BadMoments | 'good';

/** By key, so that the same effects meet the same moments in every run of a seed, whatever the timing. */
function momentOf(seed: string, bad: BadMoments): Moment {
  const names = Object.keys(bad) as (keyof BadMoments)[];
  const good = 1 - names.reduce((sum, name) => sum + bad[name], 0);
  const choices: (readonly [number, Moment])[] = [
    [good, 'good'],
    ...names.map((name) => [bad[name], name] as const),
  ];
  return createRandom(seed).weighted(choices);
}

function readEffect(body: Buffer): Omit<DoneEffect, 'key'> | null {
  const parsed = parseJsonBody(body);
  if ('refused' in parsed) return null;
  const { effect: name, order, cause, facts } = parsed.value;
  if (typeof name !== 'string' || !isRecord(order) || !isRecord(cause) || !isRecord(facts)) return null;
  const of = name === 'bookRefund' ? facts['refund'] : name === 'alertFinance' ? cause['type'] : null;
  return { name, order: String(order['id']), of: typeof of === 'string' ? of : null };
}
