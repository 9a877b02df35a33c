/**
 * What a configuration file may hold, checked by zod: each field says what it must be, and a wrong one is reported
 * with its path and what it is, all at once. Durations become milliseconds, instants epoch milliseconds. Values
 * of secret fields are never shown. docs/configuration.md lists the fields and their defaults.
 */
import { z } from 'zod';
import { didYouMean } from '../ordering/did-you-mean.ts';
import { parseDurationMs } from '../ordering/duration.ts';
import { formatDuration } from '../ordering/format-duration.ts';
import type { Provider } from '../providers/provider.ts';
import type { EffectCall } from './resolved.ts';

export const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;
const NAME_RULE = "be small letters, digits or '-', at most 63, starting with a letter or digit";
const MAX_TIMER_MS = 400 * 86_400_000;

/** A field with its rule in words. `read` gives undefined for what breaks the rule. */
function field<T>(
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

const text = (rule = 'be a text') =>
  field(rule, (value) => (typeof value === 'string' && value.trim() !== '' ? value : undefined));
const hidden = (): boolean => false;
const secret = (rule: string) =>
  field(rule, (value) => (typeof value === 'string' && value !== '' ? value : undefined), hidden);
const name = () =>
  field(NAME_RULE, (value) => (typeof value === 'string' && NAME.test(value) ? value : undefined));
const oneOf = <const T extends string>(...choices: T[]) =>
  field(`be ${choices.map((choice) => `'${choice}'`).join(' or ')}`, (value) =>
    choices.find((choice) => choice === value),
  );
const whole = (min: number, max: number) =>
  field(`be a whole number from ${min} to ${max}`, (value) =>
    Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
      ? (value as number)
      : undefined,
  );
const bool = () => field('be true or false', (value) => (typeof value === 'boolean' ? value : undefined));
const duration = ({ minMs = 1, maxMs = MAX_TIMER_MS }: { minMs?: number; maxMs?: number } = {}) =>
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
const timeLimit = () => duration({ maxMs: 10 * 60_000 });
const instant = () =>
  field("be an instant with a zone, such as '2026-12-01T00:00:00Z'", (value) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(value)
      ? definedNumber(Date.parse(value))
      : undefined,
  );
/** A login or a query may hold a secret, so such a value is not shown. */
const isShownUrl = (value: unknown): boolean => typeof value !== 'string' || !/[@?]/.test(value);
const url = (without: string, isAllowed: (url: URL) => boolean) =>
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
const func = <F>(rule: string) =>
  field(rule, (value) => (typeof value === 'function' ? (value as F) : undefined));

/** An object that knows its keys. */
function fields<S extends z.core.$ZodLooseShape>(shape: S) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? // One line per key: the reader of the issues puts each behind its own path.
          issue.keys.map((key) => `is not known here.${didYouMean(key, known)}`).join('\n')
        : `must be an object with ${known.slice(0, 3).join(', ')}, …; it is ${show(issue.input)}`,
  });
}

const dotPath = () =>
  field("be a dot path such as 'metadata.order_id'", (value) =>
    typeof value === 'string' && /^[^.\s]+(\.[^.\s]+)*$/.test(value) ? value : undefined,
  );

const secretEntry = fields({
  id: field("be a short name: letters, digits, '.', '_' or '-', at most 64", (value) =>
    typeof value === 'string' && /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(value) ? value : undefined,
  ),
  // Absent when an optional variable is not set: the entry is then left out.
  value: secret("be a text; take it from a variable: env('NAME')").optional(),
  until: instant().optional(),
});

const typeMapping = field(
  'be a type of the table, null (known, not wanted) or (body) => type | null',
  (value) => {
    if (value === null || typeof value === 'function')
      return value as null | ((body: unknown) => string | null);
    return typeof value === 'string' && /^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*$/.test(value) ? value : undefined;
  },
);

const adapter = field(
  "name an adapter, such as 'sandbox', or be one: { name, version, contract, types, verify, parse }",
  (value) => {
    if (typeof value === 'string') return value.trim() === '' ? undefined : value;
    const own = (value ?? {}) as Provider;
    const isAdapter =
      typeof own.name === 'string' &&
      Number.isSafeInteger(own.version) &&
      ['sequence', 'monotonic', 'unordered'].includes(own.contract) &&
      isObject(own.types) &&
      typeof own.verify === 'function' &&
      typeof own.parse === 'function';
    return isAdapter ? own : undefined;
  },
);

const source = fields({
  provider: adapter,
  environment: name(),
  machine: text('name one of the machines'),
  mode: text().optional(),
  account: text().optional(),
  secrets: z.array(secretEntry, { error: (issue) => listRule(issue.input, '{ id, value }') }),
  order: z.array(dotPath(), { error: (issue) => listRule(issue.input, 'dot paths') }).default([]),
  paths: z.record(z.string(), dotPath()).default({}),
  types: z.record(z.string(), typeMapping).default({}),
  unknownTypes: oneOf('reject', 'archive'),
  tolerance: duration().default(5 * 60_000),
  maxBytes: whole(1, 64 * 1_048_576).default(1_048_576),
  contract: oneOf('sequence', 'monotonic', 'unordered').optional(),
  first: field("be the first version as a text of digits, such as '1', or 'any'", (value) =>
    typeof value === 'string' && /^(any|\d{1,40})$/.test(value) ? value : undefined,
  ).optional(),
  gapTimeout: duration().default(30_000),
  lagWindow: duration({ minMs: 0 }).default(60_000),
  askDeadline: duration().optional(),
  apiBase: url('login and query', ({ search }) => search === '').optional(),
  apiKey: field(
    // It becomes a header: anything else would fail at the first ask, hours later.
    "be made of printable ASCII characters; take it from a variable: env('NAME')",
    (value) => (typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) ? value : undefined),
    hidden,
  ).optional(),
  apiPerSecond: whole(1, 10_000).default(10),
  apiTimeout: timeLimit().default(10_000),
  effects: oneOf('run', 'record').default('run'),
});

const retry = fields({
  maxAttempts: whole(1, 1_000).default(20),
  firstDelay: duration().default(1_000),
  maxDelay: duration().default(3_600_000),
});
const everyEffect = {
  timeout: timeLimit().default(10_000),
  keyTtl: duration({ minMs: 0 }).default(0),
  retry: retry.prefault({}),
  confirm: func<(call: EffectCall) => Promise<boolean>>(
    'be a function (call) => Promise<boolean>',
  ).optional(),
};
const effect = z.discriminatedUnion(
  'kind',
  [
    fields({
      ...everyEffect,
      kind: z.literal('http'),
      url: url('a login', () => true),
      secret: secret("be a text; take it from a variable: env('NAME')"),
      allowPrivate: bool().default(false),
    }),
    fields({
      ...everyEffect,
      kind: z.undefined().optional(),
      run: func<(call: EffectCall) => Promise<void>>('be a function (call) => Promise<void>'),
    }),
  ],
  { error: 'must be http({ url, secret }) or { run: async (call) => { … } }' },
);

export const configSchema = fields({
  machines: z.array(z.unknown(), { error: (issue) => listRule(issue.input, 'machines') }),
  sources: z.record(z.string(), source, { error: (issue) => objectRule(issue.input, 'sources by name') }),
  effects: z.record(z.string(), effect, { error: (issue) => objectRule(issue.input, 'effects by name') }),
  redeliverAfter: duration({ minMs: 100 }).default(60_000),
  askDeadline: duration().default(86_400_000),
  closeAfter: duration().default(7 * 86_400_000),
  maxEventsPerRun: whole(10, 50_000).default(5_000),
});

export type ParsedConfig = z.output<typeof configSchema>;
export type ParsedSource = ParsedConfig['sources'][string];
export type ParsedEffect = ParsedConfig['effects'][string];
export type Issue = z.core.$ZodIssue;

/** The names of all fields, by what holds them: what the page about the configuration is compared with. */
export const configFields = (): Record<string, string[]> => ({
  'The whole': Object.keys(configSchema.shape),
  Sources: Object.keys(source.shape),
  Secrets: Object.keys(secretEntry.shape),
  Effects: [...new Set(effect.options.flatMap((option) => Object.keys(option.shape)))].filter(
    (key) => key !== 'kind',
  ),
  Retries: Object.keys(retry.shape),
});

const listRule = (value: unknown, of: string): string =>
  value === undefined
    ? `is missing; it must be a list of ${of}`
    : `must be a list of ${of}; it is ${show(value)}`;
const objectRule = (value: unknown, of: string): string =>
  value === undefined ? `is missing; it must hold the ${of}` : `must hold the ${of}; it is ${show(value)}`;

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

const definedNumber = (value: number): number | undefined => (Number.isNaN(value) ? undefined : value);

/** A value as a problem shows it: its kind when it is more than a word. */
function show(value: unknown): string {
  if (typeof value === 'string') return value.length > 40 ? 'a long text' : `'${value}'`;
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}
