/**
 * The list of a sender whose API no adapter can know: the source says by a URL template what to request, and by paths
 * where items, cursor and fields are. It lists events, or the objects that changed.
 *
 * 1. A listed event has the id of its webhook, so that the two are one.
 * 2. A listed object is what is true of it now, and never settles anything: it enters as an event by its version, or
 *    as a hint to ask. Its id is made of its news, so that what did not change is known the next time.
 */
import { hash } from 'node:crypto';
import { isRecord } from './json.ts';
import type {
  ApiClient,
  ListedItem,
  ListedPage,
  ListRequest,
  ListTemplate,
  ParsedEvent,
  Refusal,
  SourceSettings,
} from './provider.ts';
import { isRefusal } from './provider.ts';
import { asText, fieldInvalid, valueAt } from './read-fields.ts';
import {
  fieldsOf,
  fill,
  neutralTypeOf,
  parseEvent,
  readContent,
  unusable,
} from './standard-webhooks-event.ts';

export async function list(
  api: ApiClient,
  { sinceMs, untilMs, cursor }: ListRequest,
  settings: SourceSettings,
): Promise<ListedPage> {
  const template = settings.requests.list;
  const answer = await api.get(
    fill(template?.request, {
      since: new Date(sinceMs).toISOString(),
      sinceSeconds: String(Math.floor(sinceMs / 1_000)),
      until: new Date(untilMs).toISOString(),
      untilSeconds: String(Math.ceil(untilMs / 1_000)),
      cursor: cursor ?? '',
    }),
  );
  if (template === undefined || answer.status === 'gone') throw unusable('is not there: nothing is listed');
  const items = template.items === undefined ? answer.body : valueAt(answer.body, template.items);
  if (!Array.isArray(items)) throw unusable(`holds no list${template.items ? ` at ${template.items}` : ''}`);
  return {
    items: items.map((item: unknown) => readItem(item, template, settings)),
    next: nextOf(answer.body, template, cursor),
  };
}

/** An empty list may still have a cursor; one that stays the same would be asked for without an end. */
function nextOf(body: unknown, { next }: ListTemplate, cursor: string | null): string | null {
  const found = next === undefined ? null : asText(valueAt(body, next));
  if (found === null || found === '') return null;
  if (found === cursor) throw unusable('names the same page as the next one');
  return found;
}

function readItem(item: unknown, template: ListTemplate, settings: SourceSettings): ListedItem {
  const body = Buffer.from(JSON.stringify(item));
  if (!isRecord(item)) return { parsed: fieldInvalid('the list', 'holds something that is no object'), body };
  const read = template.of === 'events' ? readEvent : readObject;
  return { parsed: read(item, template, settings), body };
}

type Read = (
  item: Record<string, unknown>,
  template: ListTemplate,
  settings: SourceSettings,
) => ParsedEvent | Refusal;

/** (1) Where the webhook has its id in a header, the list says it somewhere in the item. */
const readEvent: Read = (item, { paths }, settings) => {
  const { id, ...fields } = paths;
  if (settings.paths['id'] !== undefined) return parseEvent(item, undefined, settings, paths);
  return parseEvent(
    item,
    (id === undefined ? null : asText(valueAt(item, id))) ?? undefined,
    settings,
    fields,
  );
};

/** (2) */
const readObject: Read = (item, { paths }, settings) => {
  const fields = fieldsOf(item, settings, { ...settings.requests.paths, ...paths });
  const word = fields.required('type');
  if (isRefusal(word)) return word;
  const content = readContent(fields, settings);
  if (isRefusal(content)) return content;
  const news = [content.object, content.version ?? [word.text, content.order, content.facts]];
  return {
    eventId: `listed:${hash('sha256', JSON.stringify(news)).slice(0, 40)}`,
    providerType: word.text,
    type: neutralTypeOf(word.text),
    ...content,
  };
};
