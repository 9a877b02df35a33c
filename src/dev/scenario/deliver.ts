/** One delivery of a story: its bytes, its signature as good or bad as the story wants it, and what was answered. */
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Source } from '../../config/resolved.ts';
import { InorderError } from '../../errors.ts';
import { parseDurationMs } from '../../ordering/duration.ts';
import { isRecord, parseJsonBody } from '../../providers/json.ts';
import { writerOf } from './providers/provider-writers.ts';
import type { UnsignedDelivery } from './providers/provider-writer.ts';
import type { ScenarioDelivery } from './format/scenario.ts';
import type { ToldEvent } from './providers/told-event.ts';

const LIMIT_MS = 30_000;

export interface DeliveryAnswer {
  /** null: nobody answered. */
  status: number | null;
  /** Of an answer that refuses; or why nobody answered. */
  error: string | null;
}

export interface Secrets {
  current: string;
  old: string;
}

/** The exact bytes: those of the story, or the provider's shape of its fields. */
export async function bytesOf(
  delivery: ScenarioDelivery,
  event: ToldEvent | null,
  { file, source, number }: { file: string; source: Source; number: number },
): Promise<UnsignedDelivery> {
  const body = await givenBytes(delivery, file);
  if (body !== null) return { id: delivery.event ?? idIn(body) ?? `bytes-${number}`, body };
  if (event === null) {
    throw new InorderError(
      'usage',
      'a delivery has a type, a body, or the id of an event that was told before',
    );
  }
  return { id: event.id, body: writerOf(source.provider.name).body(event, source) };
}

async function givenBytes(
  { body, bodyBase64, bodyFile }: ScenarioDelivery,
  file: string,
): Promise<Buffer | null> {
  if (body !== undefined) return Buffer.from(body);
  if (bodyBase64 !== undefined) return Buffer.from(bodyBase64, 'base64');
  return bodyFile === undefined ? null : await readFile(resolve(dirname(file), bodyFile));
}

function idIn(body: Buffer): string | null {
  const parsed = parseJsonBody(body);
  if ('refused' in parsed || !isRecord(parsed.value)) return null;
  const { id } = parsed.value;
  return typeof id === 'string' && id !== '' ? id : null;
}

/** Headers and body as they go over the wire. */
export function signed(
  unsigned: UnsignedDelivery,
  { sign = true, headers = {} }: Pick<ScenarioDelivery, 'sign' | 'headers'>,
  { source, secrets, nowMs }: { source: Source; secrets: Secrets; nowMs: number },
): { headers: [string, string][]; body: Buffer } {
  const writer = writerOf(source.provider.name);
  const how = typeof sign === 'boolean' ? {} : sign;
  const secret =
    how.secret === 'wrong' ? writer.newSecret() : how.secret === 'old' ? secrets.old : secrets.current;
  const others = how.another === undefined ? [] : [writer.newSecret()];
  const signers = how.another === 'before' ? [...others, secret] : [secret, ...others];
  const timestampSeconds = Math.floor((nowMs - ageMs(how.age)) / 1_000);
  const own =
    sign === false
      ? { 'content-type': 'application/json' }
      : writer.sign(unsigned, { secrets: signers, timestampSeconds });
  const said = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name.toLowerCase(), one]),
  );
  const names = new Set(said.map(([name]) => name));
  return {
    headers: [...Object.entries(own).filter(([name]) => !names.has(name)), ...said],
    body: how.changedByte === true ? withChangedByte(unsigned.body) : unsigned.body,
  };
}

/** `10m` ago; with a minus, in future. */
function ageMs(age: string | undefined): number {
  if (age === undefined) return 0;
  const isFuture = age.startsWith('-');
  const ms = parseDurationMs(isFuture ? age.slice(1) : age) ?? 0;
  return isFuture ? -ms : ms;
}

/** In the middle, so that it is no question of how a body ends. */
function withChangedByte(body: Buffer): Buffer {
  const changed = Buffer.from(body);
  const at = Math.floor(changed.length / 2);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}

export async function send(
  url: string,
  { headers, body }: { headers: [string, string][]; body: Buffer },
): Promise<DeliveryAnswer> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const answer = parseJsonBody(Buffer.from(await response.arrayBuffer()));
    const error = 'refused' in answer ? null : answer.value['error'];
    return { status: response.status, error: typeof error === 'string' ? error : null };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    return { status: null, error: code || (cause instanceof Error ? cause.name : 'no answer') };
  }
}
