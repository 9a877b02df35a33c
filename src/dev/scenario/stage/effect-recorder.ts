/**
 * The application that takes a story's effects: verifies each call, keeps what it got, and does each key once. It
 * behaves as the story says, effect by effect.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { parseDurationMs } from '../../../ordering/duration.ts';
import { isRecord, parseJsonBody } from '../../../providers/json.ts';
import { verifyStandardWebhook } from '../../../providers/standard-webhooks-signature.ts';
import { closeAtOnce, listenOnLoopback } from '../../listen.ts';
import { readBytes } from '../../traffic/read-bytes.ts';
import { momentOf } from './moods.ts';
import type { EffectMood } from '../format/scenario.ts';

/** One key that came: what the receiver of effects really got. */
export interface RecordedEffect {
  name: string;
  order: string;
  key: string;
  /** With repeats under the same key, answered or not. */
  calls: number;
  isDone: boolean;
  /** Of its first call. */
  body: Record<string, unknown>;
}

export interface EffectRecorder {
  readonly url: string;
  readonly secret: string;
  readonly effects: RecordedEffect[];
  /** What no sender may do: another body under a known key, a signature that does not hold. */
  readonly offences: string[];
  setMood(effect: string, mood: EffectMood): void;
  moodOf(effect: string): EffectMood;
  close(): Promise<void>;
}

const TOLERANCE_MS = 300_000;

export async function startEffectRecorder(): Promise<EffectRecorder> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const byKey = new Map<string, RecordedEffect>();
  const bytesOf = new Map<string, Buffer>();
  const moods = new Map<string, EffectMood>();
  const offences: string[] = [];

  async function take(
    headers: Record<string, string[]>,
    body: Buffer,
    response: ServerResponse,
  ): Promise<void> {
    const delivery = { source: 'effects', headers, body, url: '', receivedAtMs: Date.now() };
    const verdict = verifyStandardWebhook(
      delivery,
      [{ id: 'a', value: secret, untilMs: null }],
      TOLERANCE_MS,
    );
    const key = headers['idempotency-key']?.[0] ?? '';
    const call = readCall(body);
    if ('refused' in verdict || call === null || key === '' || headers['webhook-id']?.[0] !== key) {
      offences.push(`a call for ${key || 'no key'} that cannot be trusted`);
      response.writeHead(401).end();
      return;
    }
    const known = byKey.get(key);
    if (known !== undefined && bytesOf.get(key)?.equals(body) !== true) {
      offences.push(`another body under the key ${key}`);
    }
    const effect = known ?? { ...call, key, calls: 0, isDone: false };
    if (known === undefined) bytesOf.set(key, body);
    byKey.set(key, effect);
    effect.calls++;

    const mood = moods.get(effect.name) ?? {};
    const { moment, next } = momentOf(mood);
    moods.set(effect.name, next);
    if (mood.slow !== undefined) await delay(parseDurationMs(mood.slow) ?? 0);
    if (moment === 'refuses') {
      response.writeHead(503).end();
      return;
    }
    effect.isDone = true;
    if (moment === 'doesAndIsSilent') response.destroy();
    else response.writeHead(moment === 'doesAndAnswers500' ? 500 : 200).end();
  }

  const server = createServer((request, response) => {
    readBytes(request)
      .then((body) => take(request.headersDistinct as Record<string, string[]>, body, response))
      .catch(() => response.destroy());
  });
  const base = await listenOnLoopback(server);
  return {
    url: `${base}/effects`,
    secret,
    get effects() {
      return [...byKey.values()];
    },
    offences,
    setMood: (effect, mood) => void moods.set(effect, { ...moods.get(effect), ...mood }),
    moodOf: (effect) => moods.get(effect) ?? {},
    close: () => closeAtOnce(server),
  };
}

function readCall(body: Buffer): Pick<RecordedEffect, 'name' | 'order' | 'body'> | null {
  const parsed = parseJsonBody(body);
  if ('refused' in parsed) return null;
  const { effect: name, order } = parsed.value;
  if (typeof name !== 'string' || !isRecord(order)) return null;
  return { name, order: String(order['id']), body: parsed.value };
}
