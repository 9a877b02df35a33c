/**
 * Whether a stored value has the shape of an order's state: every field that a decision looks at is there and of its
 * kind. Fields that are not known here are let be: a newer release may have added them.
 *
 * 1. Never throws, and stops at the first place that is wrong.
 * 2. Versions of one stream are of one kind, since all of them are compared.
 */

/** null: it fits. Otherwise the place of the first thing that does not. */
type Shape = (value: unknown, path: string) => string | null;

export const findMisshapen = (state: unknown): string | null => ORDER(state, 'state');

const is =
  (fits: (value: unknown) => boolean): Shape =>
  (value, path) =>
    fits(value) ? null : path;
const isText = (value: unknown): value is string => typeof value === 'string';

const text = is(isText);
const flag = is((value) => typeof value === 'boolean');
const instant = is((value) => typeof value === 'number' && Number.isFinite(value));
const count = is((value) => Number.isSafeInteger(value) && (value as number) >= 0);
const version = is((value) => isText(value) && (/^-?\d+$/.test(value) || /^\d{4}-.*Z$/.test(value)));
const oneOf = (...words: string[]): Shape => is((value) => isText(value) && words.includes(value));

const orNull =
  (shape: Shape): Shape =>
  (value, path) =>
    value === null ? null : shape(value, path);

const listOf =
  (shape: Shape): Shape =>
  (value, path) => {
    if (!Array.isArray(value)) return path;
    for (let at = 0; at < value.length; at++) {
      const wrong = shape(value[at], path);
      if (wrong !== null) return wrong;
    }
    return null;
  };

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Any names, all values of one shape. */
const mapOf =
  (shape: Shape): Shape =>
  (value, path) => {
    if (!isFields(value)) return path;
    for (const name of Object.keys(value)) {
      const wrong = shape(value[name], `${path}.${name}`);
      if (wrong !== null) return wrong;
    }
    return null;
  };

/** These fields; of those in `optional` any may be absent. */
const fields =
  (required: Record<string, Shape>, optional: Record<string, Shape> = {}): Shape =>
  (value, path) => {
    if (!isFields(value)) return path;
    for (const name in required) {
      const wrong = (required[name] as Shape)(value[name], `${path}.${name}`);
      if (wrong !== null) return wrong;
    }
    for (const name in optional) {
      const wrong =
        value[name] === undefined ? null : (optional[name] as Shape)(value[name], `${path}.${name}`);
      if (wrong !== null) return wrong;
    }
    return null;
  };

const both =
  (first: Shape, second: Shape): Shape =>
  (value, path) =>
    first(value, path) ?? second(value, path);

const facts = mapOf(text);
const ref = { seq: text, source: text, event: text };
const contract = oneOf('sequence', 'monotonic', 'unordered');

const heldEvent = fields(
  {
    ...ref,
    stream: text,
    type: orNull(text),
    payment: orNull(text),
    version: orNull(version),
    claimedAt: orNull(text),
    fact: text,
    facts,
    since: instant,
    reason: oneOf('gap', 'asking', 'unlisted', 'tie', 'review'),
    behind: flag,
    ask: orNull(count),
    review: orNull(text),
  },
  { createdAt: text, twin: flag, conflict: flag },
);

const openAsk = fields({
  n: count,
  reason: text,
  since: instant,
  attempts: count,
  retryAt: orNull(instant),
  late: flag,
});

const part = fields({ type: text, fact: text, facts }, { createdAt: text });
const answer = fields(
  {
    snapshot: fields(
      {
        stream: text,
        type: text,
        version: orNull(version),
        payment: orNull(text),
        fact: text,
        facts,
        asOf: instant,
        parts: listOf(part),
      },
      { createdAt: text, lists: listOf(text) },
    ),
    since: instant,
    review: orNull(text),
  },
  { ask: count, late: flag },
);

const word = fields({
  type: text,
  fact: text,
  facts,
  payment: orNull(text),
  version: orNull(version),
  ref: orNull(fields(ref)),
  moved: flag,
});

const range: Shape = (value, path) =>
  Array.isArray(value) && value.length === 2 ? (version(value[0], path) ?? version(value[1], path)) : path;

interface Versions {
  version: string | null;
  answered: string | null;
  word: { version: string | null } | null;
  missing: [string, string][];
  held: { version: string | null }[];
}

/** 2. Only asked of a stream that has its fields. */
const versionsOfOneKind: Shape = (value, path) => {
  const stream = value as Versions;
  const all = [
    stream.version,
    stream.answered,
    stream.word?.version ?? null,
    ...stream.missing.flat(),
    ...stream.held.map((held) => held.version),
  ].filter(isText);
  const instants = all.filter((one) => one.endsWith('Z')).length;
  return instants === 0 || instants === all.length ? null : `${path}.version`;
};

const stream = both(
  fields({
    contract,
    version: orNull(version),
    by: orNull(oneOf('event', 'answer')),
    fact: orNull(text),
    answered: orNull(version),
    step: orNull(fields({ type: text, fact: text })),
    word: orNull(word),
    missing: listOf(range),
    missingSince: orNull(instant),
    held: listOf(heldEvent),
    gapExpired: flag,
    ask: orNull(openAsk),
    asks: count,
    newest: orNull(fields({ types: listOf(text), claimedAt: orNull(text) }, { facts: listOf(text) })),
    candidate: orNull(fields({ type: orNull(text), fact: text, since: instant })),
    answer: orNull(answer),
    seen: listOf(text),
    resets: count,
  }),
  versionsOfOneKind,
);

const policy = fields(
  {
    contract,
    api: flag,
    find: flag,
    first: text,
    gapTimeoutMs: instant,
    lagWindowMs: instant,
    askDeadlineMs: instant,
    effects: oneOf('run', 'record'),
  },
  { existingBefore: orNull(text) },
);

const attention = fields({
  kind: oneOf('gap', 'review', 'effect', 'reconcile', 'conflict'),
  stream: orNull(text),
  since: instant,
  reason: text,
});

const ORDER = fields(
  {
    key: fields({ machine: text, environment: text, id: text }),
    machineVersion: count,
    status: text,
    bearer: orNull(text),
    movedBy: orNull(text),
    streams: mapOf(stream),
    sources: mapOf(policy),
    deadline: orNull(
      fields({
        status: text,
        type: text,
        at: instant,
        unasked: oneOf('review', 'act'),
        phase: oneOf('waiting', 'asking', 'review'),
        pending: listOf(text),
      }),
    ),
    troubles: mapOf(fields({ name: text, reason: text, since: instant })),
    finds: mapOf(openAsk),
    notices: listOf(attention),
    attention: listOf(attention),
  },
  { adopted: text, contested: mapOf(text) },
);
