/**
 * The kinds of fields a configuration is made of, each with its rule in words: a value that breaks it is reported
 * with the rule and what it is instead. Durations become milliseconds. What may hold a secret is never shown.
 */
import { z } from 'zod';
import { didYouMean } from '../ordering/did-you-mean.ts';
import { parseDurationMs } from '../ordering/duration.ts';
import { formatDuration } from '../ordering/format-duration.ts';
import { canonicalInstant } from '../ordering/version.ts';

export const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;
const NAME_RULE = "be small letters, digits or '-', at most 63, starting with a letter or digit";
const MAX_TIMER_MS = 400 * 86_400_000;

/** A field with its rule in words. `read` gives undefined for what breaks the rule. */
export function field<T>(
  rule: string,
  read: (value: unknown) => T | undefined,
  isShown: (value: unknown) => boolean = () => true,
) {
  return z.unknown().transform((value, context): T => {
    const result = read(value);
    if (result !== undefined) return result;
    const found = isShown(value)
      ? `; it is ${show(value)}`
      : '; it is not shown, because it may hold a secret';
    context.addIssue({
      code: 'custom',
      message: value === undefined ? `is missing; it must ${rule}` : `must ${rule}${found}`,
    });
    return z.NEVER;
  });
}

export const text = (rule = 'be a text') =>
  field(rule, (value) => (typeof value === 'string' && value.trim() !== '' ? value : undefined));
const hidden = (): boolean => false;
export const secret = (rule: string) =>
  field(rule, (value) => (typeof value === 'string' && value !== '' ? value : undefined), hidden);
export const name = () =>
  field(NAME_RULE, (value) => (typeof value === 'string' && NAME.test(value) ? value : undefined));
export const oneOf = <const T extends string>(...choices: T[]) =>
  field(`be ${choices.map((choice) => `'${choice}'`).join(' or ')}`, (value) =>
    choices.find((choice) => choice === value),
  );
export const whole = (min: number, max: number) =>
  field(`be a whole number from ${min} to ${max}`, (value) =>
    Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
      ? (value as number)
      : undefined,
  );
export const bool = () =>
  field('be true or false', (value) => (typeof value === 'boolean' ? value : undefined));
export const duration = ({ minMs = 1, maxMs = MAX_TIMER_MS }: { minMs?: number; maxMs?: number } = {}) =>
  field(
    minMs === 0
      ? "be a duration such as '10s' or '24h', or '0'"
      : `be a duration such as '500ms', '30s' or '5m', at most ${formatDuration(maxMs)}`,
    (value) => {
      if (minMs === 0 && (value === '0' || value === 0)) return 0;
      const ms = typeof value === 'string' ? parseDurationMs(value) : null;
      return ms !== null && ms >= minMs && ms <= maxMs ? Math.round(ms) : undefined;
    },
  );
/** Of one request: longer ones would hold a worker's place for nothing, and timers have an end. */
export const timeLimit = () => duration({ maxMs: 10 * 60_000 });
export const instant = () =>
  field("be an instant with a zone, such as '2026-12-01T00:00:00Z'", (value) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(value)
      ? definedNumber(Date.parse(value))
      : undefined,
  );
/** The same, kept to the last digit of its fraction, as instants are compared. */
export const instantText = () =>
  field("be an instant with a zone, such as '2026-12-01T00:00:00Z'", (value) =>
    typeof value === 'string' ? (canonicalInstant(value) ?? undefined) : undefined,
  );
/** A login or a query may hold a secret, so such a value is not shown. */
const isShownUrl = (value: unknown): boolean => typeof value !== 'string' || !/[@?]/.test(value);
export const url = (without: string, isAllowed: (url: URL) => boolean) =>
  field(
    `be an http or https URL without ${without}, of at most 2,048 bytes`,
    (value) => {
      if (typeof value !== 'string' || Buffer.byteLength(value) > 2_048 || !URL.canParse(value))
        return undefined;
      const parsed = new URL(value);
      const isPlain = parsed.username === '' && parsed.password === '' && parsed.hash === '';
      return /^https?:$/.test(parsed.protocol) && isPlain && isAllowed(parsed) ? value : undefined;
    },
    isShownUrl,
  );
export const func = <F>(rule: string) =>
  field(rule, (value) => (typeof value === 'function' ? (value as F) : undefined));

/** It becomes a header: anything else would fail at the first request, hours later. */
export const bearer = () =>
  field(
    "be made of printable ASCII characters; take it from a variable: env('NAME')",
    (value) => (typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) ? value : undefined),
    hidden,
  );
/** The host stays the same whatever is filled in, so that a bearer has one place to go to. */
export const urlTemplate = (slot: string) =>
  field(
    `be an http or https URL such as 'https://shop.example/orders/${slot}', without a login, of at most 2,048 bytes`,
    (value) => {
      if (typeof value !== 'string' || Buffer.byteLength(value) > 2_048 || !URL.canParse(value))
        return undefined;
      const [, origin, request = ''] = /^(https?:\/\/[^/?#{}@\s]+)((?:[/?][^#\s]*)?)$/i.exec(value) ?? [];
      if (origin === undefined) return undefined;
      return { origin: new URL(origin).origin, request: request.startsWith('/') ? request : `/${request}` };
    },
    isShownUrl,
  );

/** An object that knows its keys; `refusals` say what to do instead of one that some may expect. */
export function fields<S extends z.core.$ZodLooseShape>(shape: S, refusals: Record<string, string> = {}) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? // One line per key: the reader of the issues puts each behind its own path.
          issue.keys
            .map((key) =>
              Object.hasOwn(refusals, key) ? refusals[key] : `is not known here.${didYouMean(key, known)}`,
            )
            .join('\n')
        : `must be an object with ${known.slice(0, 3).join(', ')}, …; it is ${show(issue.input)}`,
  });
}

export const dotPath = () =>
  field("be a dot path such as 'metadata.order_id'", (value) =>
    typeof value === 'string' && /^[^.\s]+(\.[^.\s]+)*$/.test(value) ? value : undefined,
  );

export const listRule = (value: unknown, of: string): string =>
  value === undefined
    ? `is missing; it must be a list of ${of}`
    : `must be a list of ${of}; it is ${show(value)}`;
export const objectRule = (value: unknown, of: string): string =>
  value === undefined ? `is missing; it must hold the ${of}` : `must hold the ${of}; it is ${show(value)}`;

export const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

const definedNumber = (value: number): number | undefined => (Number.isNaN(value) ? undefined : value);

/** A value as a problem shows it: its kind when it is more than a word. */
function show(value: unknown): string {
  if (typeof value === 'string') return value.length > 40 ? 'a long text' : `'${value}'`;
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}
