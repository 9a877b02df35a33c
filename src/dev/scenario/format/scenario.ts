/**
 * A story as people write it: what is true at the provider, what is delivered, what goes wrong, and what must come
 * out. The shapes here are the format; `docs/scenario.schema.json` is written from them, for editors.
 *
 * Durations are texts with a unit (`200ms`, `2s`), versions and ids may be numbers or texts.
 */
import { z } from 'zod';
import { fields } from '../../../config/field-rules.ts';
import { parseDurationMs } from '../../../ordering/duration.ts';

const text = z.string().min(1);
const count = z.number().int().min(0);
/** A number in YAML loses no digit below 2^53; longer ones are quoted. */
const id = z.union([text, z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)]).transform(String);
const DURATION = "must be a duration such as '200ms' or '2s'";
const duration = z
  .string(DURATION)
  .min(1)
  .refine((value) => parseDurationMs(value) !== null, DURATION);

const facts = z.record(text, id);

// ── what is true ───────────────────────────────────────────────────────────────────────────────────────────

/** The provider's answer about one object. `type` null: it knows the object and says nothing of the order. */
const answer = fields({
  type: text.nullable(),
  version: id.optional(),
  payment: id.optional(),
  order: id.optional(),
  created: text.optional(),
  facts: facts.optional(),
  parts: z
    .array(fields({ type: text, facts }))
    .optional()
    .describe('Each refund of a payment, for its books.'),
  body: z
    .unknown()
    .optional()
    .describe('The object word for word, for providers whose API is not ours to write.'),
});

/** By object, `<kind>:<id>`; without a kind it is that of the type: `order:`, `payment:` or `dispute:`. */
const answers = z.record(text, z.union([answer, z.literal('gone')]));
const truth = z.record(text, answers);

/** How a provider's API behaves. A number counts requests, `true` is for ever. */
const apiMood = fields({
  down: z.union([z.boolean(), count]).optional(),
  limited: count.optional().describe('Answers 429 with Retry-After.'),
  retryAfter: duration.optional(),
  slow: duration.optional(),
  behind: count.optional().describe('Answers with what was true so many changes ago.'),
  wrong: z.enum(['another_object', 'a_page', 'half', 'an_unknown_type']).nullable().optional(),
});

/** How the receiver of effects behaves towards one effect; numbers count its calls. */
const effectMood = fields({
  refuses: z.union([z.boolean(), count]).optional().describe('Answers 503 without doing it.'),
  doesAndAnswers500: count.optional().describe('Answers 500 after it did it.'),
  doesAndIsSilent: count.optional().describe('Does it and ends the connection without an answer.'),
  slow: duration.optional(),
  // How it is called, as in a configuration.
  keyTtl: text.optional(),
  timeout: duration.optional(),
  maxAttempts: count.optional(),
});

// ── what happens ───────────────────────────────────────────────────────────────────────────────────────────

const when = {
  after: duration.optional().describe('Waits so long first.'),
};

/** How it is signed: as the provider does (true), not at all (false), or wrongly. */
const signature = z.union([
  z.boolean(),
  fields({
    secret: z
      .enum(['wrong', 'old'])
      .optional()
      .describe("`wrong`: a stranger's; `old`: one whose `until` has passed."),
    age: text
      .refine(
        (value) => parseDurationMs(value.replace(/^-/, '')) !== null,
        "must be a duration such as '10m' or '-10m'",
      )
      .optional()
      .describe('So long ago, or in future with a minus, e.g. `10m`, `-10m`.'),
    another: z
      .enum(['before', 'after'])
      .optional()
      .describe('A signature by another secret stands beside it, as while a secret changes.'),
    changedByte: z.boolean().optional().describe('After signing, one byte is another.'),
  }),
]);

/** One webhook, by its fields or by its exact bytes. */
const delivery = fields({
  source: text,
  event: id.optional(),
  type: text.optional().describe("A neutral type or the provider's own word."),
  object: id.optional(),
  order: id.nullable().optional(),
  payment: id.optional(),
  version: id.optional(),
  time: text.optional().describe('When the provider claims that it happened.'),
  created: text.optional(),
  mode: text.optional(),
  account: text.optional(),
  facts: facts.optional(),
  body: z.string().optional(),
  bodyBase64: z.string().optional(),
  bodyFile: text.optional().describe("Beside the story's file."),
  headers: z.record(text, z.union([z.string(), z.array(z.string())])).optional(),
  sign: signature.optional(),
  copies: count.min(1).optional(),
  parallel: z
    .boolean()
    .optional()
    .describe('The copies, and the deliveries that follow and say so too, go at once.'),
  lost: z
    .boolean()
    .optional()
    .describe("It happens, and the provider's API knows it, but no webhook ever comes."),
  http: z
    .union([z.number().int(), z.literal('no answer')])
    .optional()
    .describe('What must be answered; without it, any 2xx.'),
  error: text.optional(),
  receiver: count.min(1).optional().describe('To which receiver, from 1.'),
  ...when,
});

/** A person's word. `event`, `object` and `effect` name what it is about. */
const person = fields({
  person: z.enum(['resolve', 'reconcile', 'link', 'retry', 'confirm', 'skip']),
  by: text.optional(),
  reason: text.optional(),
  order: id.optional(),
  source: text.optional(),
  event: id.optional(),
  object: id.optional(),
  effect: text.optional(),
  as: z
    .union([fields({ status: text }), z.literal('ignore'), z.literal('rebase')])
    .optional()
    .describe('For `resolve`: the status it is taken as, `ignore`, or a new base of versions.'),
  refused: text.optional().describe('It must not be taken, with this in the answer.'),
  ...when,
});

/** Waits for a sign, never for a time: what it names must come about within `within` (60 s). */
const until = fields({
  until: fields({
    settled: z
      .literal(true)
      .optional()
      .describe(
        'Every event has its end or waits for something that is not time, and every effect has its end.',
      ),
    order: id.optional(),
    status: text.optional(),
    attention: text.optional(),
    event: id.optional(),
    outcome: text.optional(),
    effect: text.optional(),
    state: text.optional(),
    asked: z.record(text, count).optional().describe("The source's API was asked so often."),
    workflow: z
      .enum(['closed', 'continued'])
      .optional()
      .describe("The order's workflow has closed, or has gone on as a new run."),
  }),
  within: duration.optional(),
});

const PROCESSES = ['receiver', 'worker', 'temporal', 'mysql'] as const;
const process = z.enum(PROCESSES);

/** By the key that tells one from another; a step that has several of them is the first. */
const STEPS = {
  person,
  until,
  truth: fields({ truth, ...when }),
  api: fields({ api: z.record(text, apiMood), ...when }),
  effects: fields({ effects: z.record(text, effectMood), ...when }),
  kill: fields({ kill: process, number: count.min(1).optional(), ...when }),
  freeze: fields({ freeze: process, number: count.min(1).optional(), for: duration, ...when }),
  stop: fields({ stop: process, number: count.min(1).optional(), ...when }),
  start: fields({ start: process, number: count.min(1).optional(), ...when }),
  terminate: fields({ terminate: id, ...when }).describe("The order's workflow is ended by hand."),
  source: delivery,
};
export const STEP_KEYS = Object.keys(STEPS);

const { kill, freeze, stop, start, terminate } = STEPS;
const changes = [STEPS.truth, STEPS.api, STEPS.effects, kill, freeze, stop, start, terminate] as const;
const step = z.union([person, until, ...changes, delivery]);

/** A process is ended or stopped at a named instant of its work, the first `times` times it comes there. */
const fault = fields({
  kill: process.optional(),
  freeze: process.optional(),
  for: duration.optional(),
  at: text,
  times: count.min(1).optional(),
});

// ── what must come out ─────────────────────────────────────────────────────────────────────────────────────

const attention = z.array(text);

const expectedEvent = z.union([
  text,
  fields({
    outcome: text.optional(),
    reason: text.optional(),
    deliveries: count.optional(),
    order: id.nullable().optional(),
    version: id.nullable().optional(),
    secret: text.optional(),
    attempts: count.optional(),
  }),
]);

/** How often its receiver did it; or more about it. */
const expectedEffect = z.union([
  count,
  fields({
    times: count.optional(),
    calls: count.optional().describe('With repeats under the same key.'),
    keys: z.array(text).optional(),
    body: z
      .unknown()
      .optional()
      .describe('What the receiver of effects really got: each field that is named here is there, equal.'),
    state: text.optional().describe('Of its row.'),
  }),
]);

const word = z.union([z.string(), z.number(), z.null()]).optional();
const expectedEntry = fields({
  kind: word,
  stream: word,
  type: word,
  version: word,
  from: word,
  to: word,
  reason: word,
  cause: word,
});

const expectedOrder = fields({
  status: text.optional(),
  attention: attention.optional(),
  bearer: id.nullable().optional(),
  effects: z.record(text, expectedEffect).optional().describe('Effects of this order alone.'),
  journal: z
    .array(expectedEntry)
    .optional()
    .describe('Entries that are there in this order; others may lie between.'),
});

const expectation = fields({
  order: expectedOrder.optional(),
  orders: z.record(text, z.union([expectedOrder, z.literal('absent')])).optional(),
  events: z
    .record(text, expectedEvent)
    .optional()
    .describe('By event id; `absent`: not stored. Where two sources use one id, `<source>/<event id>`.'),
  effects: z.record(text, expectedEffect).optional().describe("All of the story's orders together."),
  refused: z.record(text, count).optional().describe('Refused deliveries by their code.'),
  asked: z
    .record(text, z.union([count, fields({ most: count })]))
    .optional()
    .describe("How often each source's API was asked; `most` is a limit."),
});

export const scenarioSchema = fields({
  name: text.describe(
    'What happens, in a sentence; with the ids of the requirements that it shows, e.g. `[R21] …`.',
  ),
  about: text
    .optional()
    .describe('Where it comes from, and where inorder ends otherwise than others would, why.'),
  order: id.optional().describe('The order that deliveries are about which name none.'),
  machine: text
    .optional()
    .describe("A machine of the configuration by name, or a file that exports one, beside the story's file."),
  deadlines: z
    .record(text, duration)
    .optional()
    .describe('Shorter deadlines of statuses, so that a story need not wait a day.'),
  sources: z
    .record(text, z.looseObject({ provider: text }))
    .describe(
      'As in a configuration, without secrets, machine and environment; `provider` alone is required.',
    ),
  settings: z
    .record(text, z.union([text, count]))
    .optional()
    .describe('Of the configuration: `redeliverAfter`, `askDeadline`, `closeAfter`, `maxEventsPerRun`.'),
  receivers: count.min(1).optional(),
  workers: count.optional(),
  truth: truth.optional(),
  api: z.record(text, apiMood).optional(),
  effects: z.record(text, effectMood).optional(),
  deliveries: z.array(step).min(1),
  faults: z.array(fault).optional(),
  again: z
    .boolean()
    .optional()
    .describe('Delivers everything again at the end and expects no change; false where that is not meant.'),
  expect: expectation,
});

export type Scenario = z.infer<typeof scenarioSchema>;
export type ScenarioStep = z.infer<typeof step>;
export type ScenarioDelivery = z.infer<typeof delivery>;
export type ScenarioPerson = z.infer<typeof person>;
export type ScenarioUntil = z.infer<typeof until>;
export type ScenarioChange = z.infer<(typeof changes)[number]>;
export type ScenarioFault = z.infer<typeof fault>;
export type ProcessName = (typeof PROCESSES)[number];
export type ScenarioAnswer = z.infer<typeof answer> | 'gone';
export type ApiMood = z.infer<typeof apiMood>;
export type EffectMood = z.infer<typeof effectMood>;
export type Expectation = z.infer<typeof expectation>;
export type ExpectedOrder = z.infer<typeof expectedOrder>;
export type ExpectedEvent = z.infer<typeof expectedEvent>;
export type ExpectedEffect = z.infer<typeof expectedEffect>;
