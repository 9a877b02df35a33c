/**
 * Why a signature holds or fails, and what inorder would make of the delivery; offline. What it says is fit to be
 * shown around: names, ids, lengths and times, never a secret or a piece of the body.
 */
import { hash } from 'node:crypto';
import type { Config, Source } from '../config/resolved.ts';
import type { Outcome } from '../ordering/state.ts';
import type { RawDelivery } from '../providers/provider.ts';
import { isRefusal } from '../providers/provider.ts';
import { normalise } from '../receiver/normalise.ts';
import { confirms, findCause } from '../verify/find-cause.ts';
import type { Cause } from '../verify/find-cause.ts';
import type { Headers } from '../verify/read-headers.ts';
import { schemeOf } from '../verify/scheme-of.ts';
import { unpack } from '../verify/unpack.ts';

export interface VerifyRequest {
  headers: Headers;
  body: Buffer;
  /** When it is judged: the signed time is compared with it. */
  atMs: number;
  url: string;
}

export interface VerifiedSecret {
  id: string;
  confirms: boolean;
  /** Not accepted after this instant; null: no end. */
  until: string | null;
  expired: boolean;
  odd: string | null;
}

export interface VerifiedItem {
  refused: string | null;
  event: string | null;
  providerType: string | null;
  type: string | null;
  object: string | null;
  version: string | null;
  order: string | null;
  /** Where the order's id was looked for; the names are the adapter's own where the source gives none. */
  orderPaths: string[];
  refs: string[];
  /** Settled at the door; null: its order decides. */
  outcome: Outcome | null;
  reason: string | null;
  mode: string | null;
  account: string | null;
}

export interface Verification {
  source: string;
  provider: string;
  /** The signature would hold at that instant. */
  valid: boolean;
  /** It would be answered 2xx: a signature that holds may stand over an event that is refused. */
  taken: boolean;
  refused: string | null;
  message: string | null;
  at: string;
  secrets: VerifiedSecret[];
  /** The clock of the sender beside the instant; null: nothing signed tells a time. */
  clock: { signedAt: string; ageSeconds: number; toleranceSeconds: number; inside: boolean } | null;
  body: { bytes: number; sha256: string };
  odd: string[];
  /** How a good request looks; only where a header is missing or broken. */
  looks: string | null;
  cause: Cause | null;
  items: VerifiedItem[];
}

export function verifyDelivery(config: Config, source: Source, request: VerifyRequest): Verification {
  const { headers, atMs, url } = request;
  const body = unpack(headers, request.body);
  const delivery: RawDelivery = { source: source.name, headers, body, url, receivedAtMs: atMs };
  const scheme = schemeOf(source.provider.name);
  const verified = source.provider.verify(delivery, source.secrets, source.settings);
  const refusal = isRefusal(verified) ? verified : null;
  const secrets = source.secrets.map(({ id, value, untilMs }) => ({
    id,
    confirms: confirms(source, delivery, value),
    until: untilMs === null ? null : new Date(untilMs).toISOString(),
    expired: untilMs !== null && atMs >= untilMs,
    odd: oddSecret(value) ?? scheme?.oddSecret(value) ?? null,
  }));
  const isConfirmed = secrets.some((secret) => secret.confirms);
  const oddHeaders = isConfirmed ? [] : (scheme?.oddHeaders(delivery) ?? []);
  const items = itemsOf(config, source, delivery);
  const isRefused = items.length > 0 && items.every((item) => item.refused !== null && item.outcome === null);
  return {
    source: source.name,
    provider: source.provider.name,
    valid: refusal === null,
    taken: refusal === null && !isRefused,
    refused: refusal?.refused ?? null,
    message: refusal?.message ?? null,
    at: new Date(atMs).toISOString(),
    secrets,
    clock: clockOf(scheme?.signedAtSeconds(delivery) ?? null, atMs, source.settings.toleranceMs),
    body: { bytes: body.length, sha256: hash('sha256', body, 'hex') },
    odd: [...oddHeaders, ...oddBody(headers, body)],
    looks: oddHeaders.length > 0 ? (scheme?.looks ?? null) : null,
    cause: isConfirmed ? null : findCause(source, delivery, config.sources.values()),
    items,
  };
}

function clockOf(signedAtSeconds: number | null, atMs: number, toleranceMs: number): Verification['clock'] {
  if (signedAtSeconds === null) return null;
  const signedAt = new Date(signedAtSeconds * 1_000);
  if (Number.isNaN(signedAt.getTime())) return null;
  const ageSeconds = Math.floor(atMs / 1_000) - signedAtSeconds;
  return {
    signedAt: signedAt.toISOString(),
    ageSeconds,
    toleranceSeconds: toleranceMs / 1_000,
    inside: Math.abs(ageSeconds) * 1_000 <= toleranceMs,
  };
}

function oddSecret(value: string): string | null {
  if (/[\r\n]$/.test(value)) return 'it ends with a line break';
  if (value !== value.trim()) return 'there are blanks around it';
  if (/^(["']).*\1$/.test(value)) return 'it stands in quotes, which are a part of it here';
  return /\.\.\.|…|change.?me|your.?secret/i.test(value)
    ? 'it looks like the placeholder of an example'
    : null;
}

function oddBody(headers: Headers, body: Buffer): string[] {
  const odd: string[] = [];
  const packed = (headers['content-encoding'] ?? []).join('').trim();
  const declared = Number(headers['content-length']?.[0] ?? Number.NaN);
  if (body.length === 0) odd.push('the body is empty');
  if (packed === '' && !Number.isNaN(declared) && declared !== body.length) {
    const difference = Math.abs(declared - body.length);
    const side = declared > body.length ? 'fewer' : 'more';
    odd.push(
      `the body has ${body.length} bytes, ${difference} ${side} than Content-Length says (${declared})`,
    );
  }
  return odd;
}

function itemsOf(config: Config, source: Source, delivery: RawDelivery): VerifiedItem[] {
  const machine = config.machines.get(source.machine)?.machine;
  if (machine === undefined) return [];
  const record = {
    source,
    machine,
    receivedAtMs: delivery.receivedAtMs,
    headers: {},
    fingerprint: hash('sha256', delivery.body, 'buffer'),
    secretId: '',
    body: delivery.body,
  };
  const orderPaths = source.settings.orderPaths.length > 0 ? source.settings.orderPaths : ownPath(source);
  try {
    return source.provider.parse(delivery, source.settings).map((item): VerifiedItem => {
      const event = isRefusal(item) ? item : normalise(item, record);
      if (isRefusal(event)) return { ...NOTHING, refused: `${event.message} (${event.refused})`, orderPaths };
      return {
        refused: null,
        event: event.eventId,
        providerType: event.providerType,
        type: event.type,
        object: event.object,
        version: event.version,
        order: event.order,
        orderPaths,
        refs: event.refs,
        outcome: event.outcome ?? null,
        reason: event.reason ?? null,
        mode: event.mode,
        account: event.account,
      };
    });
  } catch (thrown) {
    // A message may quote what it broke on.
    const what = thrown instanceof Error ? thrown.name : typeof thrown;
    const refused = `the adapter failed on it (${what}); it would be kept as failed`;
    return [{ ...NOTHING, refused, outcome: 'failed', orderPaths }];
  }
}

const ownPath = ({ settings }: Source): string[] =>
  settings.paths['order'] === undefined ? [] : [settings.paths['order']];

const NOTHING: Omit<VerifiedItem, 'refused' | 'orderPaths'> = {
  event: null,
  providerType: null,
  type: null,
  object: null,
  version: null,
  order: null,
  refs: [],
  outcome: null,
  reason: null,
  mode: null,
  account: null,
};
