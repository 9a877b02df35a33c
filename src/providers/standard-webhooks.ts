/**
 * Any sender of Standard Webhooks: a SaaS that signs so, or a team's own application. The scheme fixes the headers
 * and says nothing about the body, so the source's `paths` say where its fields are. docs/standard-webhooks.md
 * lists them.
 *
 * 1. All that is read stands under the signature: the body, and of the headers only `webhook-id`.
 * 2. An answer of the sender's API is read by the same paths as an event, so that the same news has the same fact.
 */
import { InorderError } from '../errors.ts';
import type { Facts } from '../ordering/state.ts';
import { canonicalVersion } from '../ordering/version.ts';
import { isRecord, parseJsonBody } from './json.ts';
import { neutralTypes } from './neutral-types.ts';
import type {
  ApiClient,
  ParsedEvent,
  Provider,
  ProviderSnapshot,
  RawDelivery,
  Refusal,
  SourceSettings,
} from './provider.ts';
import { isRefusal } from './provider.ts';
import { asText, fieldInvalid, optionalText, pickFacts, requiredText, valueAt } from './read-fields.ts';
import { FACT_NAMES, findStandardWebhooksProblems } from './standard-webhooks-settings.ts';
import {
  ID_HEADER,
  SVIX_HEADERS,
  underStandardNames,
  verifyStandardWebhook,
} from './standard-webhooks-signature.ts';

// ── types ──────────────────────────────────────────────────────────────────────────────────────────────────

const types = neutralTypes();
const neutralTypeOf = (word: string): string | null | undefined =>
  Object.hasOwn(types, word) ? types[word] : undefined;

// ── paths ──────────────────────────────────────────────────────────────────────────────────────────────────

/** Where the specification's own payload has them. */
const DEFAULT_PATHS: Record<string, string> = { type: 'type', time: 'timestamp' };

interface Fields {
  required(name: string): { text: string } | Refusal;
  optional(name: string): { text: string } | Refusal | null;
  facts(): Facts;
}

function fieldsOf(body: unknown, settings: SourceSettings, more: Record<string, string> = {}): Fields {
  const paths = { ...DEFAULT_PATHS, ...settings.paths, ...more };
  const shown = (name: string): string => paths[name] ?? name;
  const valueOf = (name: string): unknown => {
    const path = paths[name];
    const value = path === undefined ? undefined : valueAt(body, path);
    if (name !== 'order' || (value !== undefined && value !== null)) return value;
    return settings.orderPaths.map((other) => valueAt(body, other)).find((found) => found != null);
  };
  return {
    required: (name) => requiredText(valueOf(name), shown(name)),
    optional: (name) => optionalText(valueOf(name), shown(name)),
    facts: () => pickFacts(FACT_NAMES, (name) => valueAt(body, paths[`facts.${name}`] ?? `data.${name}`)),
  };
}

// ── order and objects ──────────────────────────────────────────────────────────────────────────────────────

/** A colon ends it: whatever the id holds, kind and id are told apart again. */
const KIND = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}$/;

/** `<kind>:<id>`: the kind is the body's, or that of the field which gives the id. */
function objectOf(fields: Fields, settings: SourceSettings): { kind: string; id: string } | Refusal {
  const { paths } = settings;
  const id = fields.required(paths['object'] === undefined ? 'order' : 'object');
  if (isRefusal(id)) return id;
  if (paths['kind'] === undefined) return { kind: kindByPath(settings), id: id.text };
  const kind = fields.required('kind');
  if (isRefusal(kind)) return kind;
  if (!KIND.test(kind.text)) return fieldInvalid(paths['kind'], 'is no word of letters and digits');
  return { kind: kind.text, id: id.text };
}

function kindByPath({ paths: { object, order, payment }, orderPaths }: SourceSettings): string {
  if (object === undefined || object === order || orderPaths.includes(object)) return 'order';
  return object === payment ? 'payment' : 'object';
}

// ── identity, version, time ────────────────────────────────────────────────────────────────────────────────

function parse(delivery: RawDelivery, settings: SourceSettings): (ParsedEvent | Refusal)[] {
  const body = parseJsonBody(delivery.body);
  if (isRefusal(body)) return [body];
  return [parseEvent(body.value, underStandardNames(delivery).headers[ID_HEADER]?.[0], settings)];
}

function parseEvent(
  body: Record<string, unknown>,
  header: string | undefined,
  settings: SourceSettings,
): ParsedEvent | Refusal {
  const fields = fieldsOf(body, settings);
  // The header is the event's id unless the body has one; then it may be another one for each endpoint.
  const hasOwnId = settings.paths['id'] !== undefined;
  const eventId = hasOwnId ? fields.required('id') : requiredText(header, ID_HEADER);
  if (isRefusal(eventId)) return eventId;
  const word = fields.required('type');
  if (isRefusal(word)) return word;
  const identity = {
    eventId: eventId.text,
    ...(hasOwnId && header !== undefined ? { deliveryId: header } : {}),
    providerType: word.text,
    type: neutralTypeOf(word.text),
  };
  const content = readContent(fields, settings);
  if (!isRefusal(content)) return { ...identity, ...content };
  // What nobody wants need not have the fields of what somebody does: senders tell of other things, too.
  if (isWanted(word.text, settings)) return content;
  const object = `event:${eventId.text}`;
  return { ...identity, object, refs: [object], facts: {} };
}

const isWanted = (word: string, { types: own = {} }: SourceSettings): boolean =>
  (Object.hasOwn(own, word) ? own[word] : neutralTypeOf(word)) != null;

type Content = Omit<ParsedEvent, 'eventId' | 'deliveryId' | 'providerType' | 'type'>;

function readContent(fields: Fields, settings: SourceSettings): Content | Refusal {
  const object = objectOf(fields, settings);
  if (isRefusal(object)) return object;
  // Without its version an event of a versioned stream would be placed by its arrival (R20).
  const path = settings.paths['version'];
  const version = path === undefined ? null : fields.required('version');
  if (version && isRefusal(version)) return version;
  if (version && canonicalVersion(version.text) === null)
    return fieldInvalid(path ?? 'version', 'is neither a whole number nor an instant with a zone');

  const more: Partial<Content> = {};
  for (const name of ['order', 'payment', 'mode', 'account'] as const) {
    const read = fields.optional(name);
    if (read === null) continue;
    if (isRefusal(read)) return read;
    more[name] = read.text;
  }
  if (object.kind === 'payment') more.payment = object.id;
  const claimedAt = instant(fields.optional('time'));
  const createdAt = instant(fields.optional('created'));
  const stream = `${object.kind}:${object.id}`;
  return {
    ...more,
    object: stream,
    refs: more.payment === undefined ? [stream] : [...new Set([stream, `payment:${more.payment}`])],
    ...(version === null ? {} : { version: version.text }),
    ...(claimedAt === null ? {} : { claimedAt }),
    ...(createdAt === null ? {} : { createdAt }),
    facts: fields.facts(),
  };
}

/** Also seconds or milliseconds since 1970, told apart by their digits: as seconds, 13 digits are 30,000 years away. */
function instant(read: ReturnType<Fields['optional']>): string | null {
  if (read === null || isRefusal(read)) return null;
  const { text } = read;
  if (/^\d{9,10}$/.test(text)) return new Date(Number(text) * 1_000).toISOString();
  if (/^\d{12,13}$/.test(text)) return new Date(Number(text)).toISOString();
  return text;
}

// ── fetch ──────────────────────────────────────────────────────────────────────────────────────────────────

async function fetchObject(
  api: ApiClient,
  object: string,
  settings: SourceSettings,
): Promise<ProviderSnapshot | 'gone'> {
  const [kind, id] = splitObject(object);
  const answer = await api.get(fill(settings.requests.fetch, { object: id, kind }));
  return answer.status === 'gone' ? 'gone' : readSnapshot(answer.body, id, settings);
}

function splitObject(object: string): [kind: string, id: string] {
  const colon = object.indexOf(':');
  return [object.slice(0, colon), object.slice(colon + 1)];
}

function readSnapshot(body: unknown, id: string, settings: SourceSettings): ProviderSnapshot {
  if (!isRecord(body)) throw unusable('is not a JSON object');
  const fields = fieldsOf(body, settings, settings.requests.paths);
  const textOf = (name: string): string | undefined => {
    const read = fields.optional(name);
    if (read !== null && isRefusal(read)) throw unusable(`cannot be used: ${read.message}`);
    return read?.text;
  };
  // An answer about something else is as good as none: a cache or a proxy mixed two up.
  const about = textOf(settings.paths['object'] === undefined ? 'order' : 'object');
  if (about !== undefined && about !== id) throw unusable('is about another object');
  const word = textOf('type');
  if (word === undefined) throw unusable('has no type');
  const version = textOf('version');
  if (version === undefined && settings.paths['version'] !== undefined) throw unusable('has no version');
  const order = textOf('order');
  const payment = textOf('payment');
  const createdAt = instant(fields.optional('created'));
  return {
    type: neutralTypeOf(word),
    providerType: word,
    ...(version === undefined ? {} : { version }),
    ...(order === undefined ? {} : { order }),
    ...(payment === undefined ? {} : { payment }),
    ...(createdAt === null ? {} : { createdAt }),
    facts: fields.facts(),
  };
}

// ── find ───────────────────────────────────────────────────────────────────────────────────────────────────

async function findObjects(api: ApiClient, order: string, settings: SourceSettings): Promise<string[]> {
  const answer = await api.get(fill(settings.requests.find, { order }));
  if (answer.status === 'gone') return [];
  if (!Array.isArray(answer.body)) throw unusable('is not a JSON list');
  return answer.body.map((item: unknown) => objectListed(item, settings));
}

/** An id, where all objects are of one kind, or an object as `fetch` would answer it. */
function objectListed(item: unknown, settings: SourceSettings): string {
  const id = asText(item);
  if (id !== null && id !== '' && settings.paths['kind'] === undefined)
    return `${kindByPath(settings)}:${id}`;
  const fields = fieldsOf(item, settings, settings.requests.paths);
  const object = objectOf(fields, settings);
  if (isRefusal(object)) throw unusable(`lists something that is no object: ${object.message}`);
  return `${object.kind}:${object.id}`;
}

function fill(template: string | undefined, values: Record<string, string>): string {
  if (template === undefined) throw new InorderError('internal', 'this source has no such request');
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}

const unusable = (what: string): InorderError =>
  new InorderError('internal', `standard-webhooks: the API's answer ${what}; it is asked again`);

export const standardWebhooks: Provider = {
  name: 'standard-webhooks',
  version: 1,
  // The specification promises no order; whoever sends may.
  contract: 'unordered',
  types,
  problems: findStandardWebhooksProblems,
  verify: (delivery, secrets, settings) =>
    verifyStandardWebhook(underStandardNames(delivery), secrets, settings.toleranceMs),
  parse,
  headers: SVIX_HEADERS,
  fetch: fetchObject,
  find: findObjects,
  canFetch: ({ requests }) => requests.fetch !== undefined,
  canFind: ({ requests }) => requests.find !== undefined,
};
