/**
 * What a configuration file may hold, checked by zod: each field says what it must be, and a wrong one is reported
 * with its path and what it is, all at once. Durations become milliseconds, instants epoch milliseconds. Values
 * of secret fields are never shown. docs/configuration.md lists the fields and their defaults.
 */
import { z } from 'zod';
import {
  bearer,
  bool,
  dotPath,
  duration,
  field,
  fields,
  func,
  instant,
  instantText,
  isObject,
  listRule,
  name,
  objectRule,
  oneOf,
  secret,
  text,
  timeLimit,
  url,
  urlTemplate,
  whole,
} from './field-rules.ts';
import type { Provider } from '../providers/provider.ts';
import type { EffectCall } from './resolved.ts';

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

const fetch = fields({
  url: urlTemplate('{object}'),
  bearer: bearer().optional(),
  paths: z.record(z.string(), dotPath()).default({}),
});
const find = fields({ url: urlTemplate('{order}') });
const list = fields({
  url: urlTemplate('changes?since={since}'),
  bearer: bearer().optional(),
  of: oneOf('events', 'objects').default('events'),
  items: dotPath().optional(),
  next: dotPath().optional(),
  paths: z.record(z.string(), dotPath()).default({}),
});
const reconcile = fields({ every: duration({ minMs: 1_000, maxMs: 86_400_000 }) });

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
  apiKey: bearer().optional(),
  fetch: fetch.optional(),
  find: find.optional(),
  list: list.optional(),
  apiPerSecond: whole(1, 10_000).default(10),
  apiTimeout: timeLimit().default(10_000),
  reconcile: reconcile.optional(),
  effects: oneOf('run', 'record').default('run'),
  existingBefore: instantText().optional(),
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

const attention = fields({ notify: text("name an effect, such as 'pageUs'") });

export const configSchema = fields(
  {
    machines: z.array(z.unknown(), { error: (issue) => listRule(issue.input, 'machines') }),
    sources: z.record(z.string(), source, { error: (issue) => objectRule(issue.input, 'sources by name') }),
    effects: z.record(z.string(), effect, { error: (issue) => objectRule(issue.input, 'effects by name') }),
    attention: attention.optional(),
    redeliverAfter: duration({ minMs: 100 }).default(60_000),
    askDeadline: duration().default(86_400_000),
    closeAfter: duration().default(7 * 86_400_000),
    maxEventsPerRun: whole(10, 50_000).default(5_000),
  },
  {
    retain:
      'is not possible yet: inorder deletes nothing. Leave it out and plan disk for it. Most room is taken by raw ' +
      "bodies, which only 'inorder events show' reads: old rows of the table bodies may be deleted by SQL",
  },
);

export type ParsedConfig = z.output<typeof configSchema>;
export type ParsedSource = ParsedConfig['sources'][string];
export type ParsedEffect = ParsedConfig['effects'][string];
export type Issue = z.core.$ZodIssue;

/** The names of all fields, by what holds them: what the page about the configuration is compared with. */
export const configFields = (): Record<string, string[]> => ({
  'The whole': Object.keys(configSchema.shape),
  Sources: Object.keys(source.shape),
  Secrets: Object.keys(secretEntry.shape),
  Fetch: Object.keys(fetch.shape),
  Find: Object.keys(find.shape),
  List: Object.keys(list.shape),
  Reconcile: Object.keys(reconcile.shape),
  Effects: [...new Set(effect.options.flatMap((option) => Object.keys(option.shape)))].filter(
    (key) => key !== 'kind',
  ),
  Retries: Object.keys(retry.shape),
  Attention: Object.keys(attention.shape),
});
