/** Requests and bodies of a provider's world, good and bad. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { isRefusal } from '../provider.ts';
import type { ParsedEvent, RawDelivery, Refusal, Secret } from '../provider.ts';
import type { ProviderWorld } from './world.ts';

export const NOW_MS = 1_764_500_000_000;

export interface Requests {
  sampleText: string;
  /** Genuine, unless headers are given. */
  requestOf: (body: Buffer | string, headers?: Record<string, string>) => RawDelivery;
  verify: (delivery: RawDelivery, secrets?: Secret[]) => { secretId: string } | Refusal;
  parse: (body: Buffer | string) => (ParsedEvent | Refusal)[];
  parseOne: (body: Buffer | string) => ParsedEvent;
  refusalOf: (body: Buffer | string) => Refusal['refused'] | null;
  /** The sample with another value at a path, as text. */
  sampleWith: (path: string, value: unknown) => string;
}

export function requestsOf(world: ProviderWorld): Requests {
  const { provider, settings } = world;
  const [secret] = world.secrets;
  const requestOf: Requests['requestOf'] = (body, headers) => {
    const bytes = Buffer.from(body);
    const all = headers ?? world.sign(bytes, secret, NOW_MS);
    return {
      source: settings.name,
      headers: Object.fromEntries(Object.entries(all).map(([name, value]) => [name.toLowerCase(), [value]])),
      body: bytes,
      url: `https://inorder.example/webhooks/${settings.name}`,
      receivedAtMs: NOW_MS,
    };
  };
  const parse = (body: Buffer | string) => provider.parse(requestOf(body), settings);
  return {
    sampleText: JSON.stringify(world.sample()),
    requestOf,
    verify: (delivery, secrets = [{ id: 'a', value: secret, untilMs: null }]) =>
      provider.verify(delivery, secrets, settings),
    parse,
    parseOne(body) {
      const [event, ...more] = parse(body);
      assert.deepEqual(more, [], 'one body gave more than one event');
      assert(event !== undefined, 'a body gave no event');
      assert(!isRefusal(event), `refused: ${JSON.stringify(event)}`);
      return event;
    },
    refusalOf(body) {
      const [verdict] = parse(body);
      return verdict !== undefined && isRefusal(verdict) ? verdict.refused : null;
    },
    sampleWith: (path, value) => JSON.stringify(withPath(world.sample(), path, value)),
  };
}

export function assertRefused(verdict: object, what: string, code?: Refusal['refused']): void {
  assert(isRefusal(verdict), `taken: ${what}`);
  if (code !== undefined) assert.equal(verdict.refused, code, what);
}

/** A copy with another value at a path; undefined takes the field away. */
export function withPath(
  body: Record<string, unknown>,
  path: string,
  value: unknown,
): Record<string, unknown> {
  const copy = structuredClone(body);
  const keys = path.split('.');
  const last = keys.pop() as string;
  let at: Record<string, unknown> = copy;
  for (const key of keys) at = at[key] as Record<string, unknown>;
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}

/** The dot paths of all values in a body. */
export function pathsOf(body: object, head = ''): string[] {
  return Object.entries(body).flatMap(([key, value]: [string, unknown]) => {
    const path = `${head}${key}`;
    return typeof value === 'object' && value !== null ? [path, ...pathsOf(value, `${path}.`)] : [path];
  });
}

/** Bytes without a meaning, the same in each run. */
export function* noise(count: number): Generator<Buffer> {
  for (let n = 0; n < count; n += 1) {
    const bytes = hash('sha512', String(n), 'buffer');
    yield bytes.subarray(0, n % 65);
  }
}
