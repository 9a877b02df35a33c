/**
 * Any sender of Standard Webhooks: a SaaS that signs so, or a team's own application. The scheme fixes the headers
 * and says nothing about the body, so the source's `paths` say where its fields are. docs/standard-webhooks.md
 * lists them.
 *
 * 1. All that is read stands under the signature: the body, and of the headers only `webhook-id`.
 * 2. An answer of the sender's API is read by the same paths as an event, so that the same news has the same fact.
 */
import { isRecord } from './json.ts';
import type { ApiClient, Provider, ProviderSnapshot, SourceSettings } from './provider.ts';
import { isRefusal } from './provider.ts';
import { asText } from './read-fields.ts';
import {
  fieldsOf,
  fill,
  instant,
  kindByPath,
  neutralTypeOf,
  objectOf,
  parse,
  types,
  unusable,
} from './standard-webhooks-event.ts';
import { list } from './standard-webhooks-list.ts';
import { findStandardWebhooksProblems } from './standard-webhooks-settings.ts';
import { SVIX_HEADERS, underStandardNames, verifyStandardWebhook } from './standard-webhooks-signature.ts';

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
  list,
  canList: ({ requests }) => requests.list !== undefined,
};
