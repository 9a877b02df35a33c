/**
 * The sandbox provider: what the demo, scenarios and tests receive from. It behaves as a careful provider would:
 * Standard Webhooks signatures, contiguous versions from 1 per object, an API that answers about objects and orders
 * and lists what changed.
 *
 *   { "id", "type", "created", "order"?, "object": { "kind", "id", "payment"?, "created"? }, "version", "data"?, "mode"?, "account"? }
 *
 * Its words are the neutral ones, so a reader of the demo learns one vocabulary. Versions and ids may be numbers
 * of any size.
 */
import { InorderError } from '../errors.ts';
import type { Facts } from '../ordering/state.ts';
import { isRecord, parseJsonBody } from './json.ts';
import { neutralTypes } from './neutral-types.ts';
import type {
  ListedPage,
  ParsedEvent,
  Provider,
  ProviderSnapshot,
  RawDelivery,
  Refusal,
} from './provider.ts';
import { isRefusal } from './provider.ts';
import { asText, fieldInvalid, optionalText, pickFacts, requiredText } from './read-fields.ts';
import { ID_HEADER, verifyStandardWebhook } from './standard-webhooks-signature.ts';

// ── types ──────────────────────────────────────────────────────────────────────────────────────────────────

const types: Record<string, string | null> = {
  ...neutralTypes(),
  // Known and of no consequence for an order; they still count in the sequence.
  'order.note_added': null,
  'payment.processing': null,
};

// ── facts ──────────────────────────────────────────────────────────────────────────────────────────────────

/** All of `data` that is ever stored, shown or handed to an effect: nothing that says who somebody is. */
const FACT_NAMES = [
  'amount',
  'attempt',
  'carrier',
  'currency',
  'dispute',
  'payment',
  'reason',
  'refund',
  'refunded',
  'shipment',
] as const;

const factsOf = (data: unknown): Facts => (isRecord(data) ? pickFacts(FACT_NAMES, (name) => data[name]) : {});

// ── identity, order and objects, version ───────────────────────────────────────────────────────────────────

function parse(delivery: RawDelivery): (ParsedEvent | Refusal)[] {
  const body = parseJsonBody(delivery.body);
  if (isRefusal(body)) return [body];
  return [parseEvent(body.value, delivery.headers[ID_HEADER]?.[0])];
}

function parseEvent(body: Record<string, unknown>, deliveryId?: string): ParsedEvent | Refusal {
  const object = isRecord(body['object']) ? body['object'] : {};
  const eventId = requiredText(body['id'], 'id');
  if (isRefusal(eventId)) return eventId;
  const providerType = requiredText(body['type'], 'type');
  if (isRefusal(providerType)) return providerType;
  const kind = requiredText(object['kind'], 'object.kind');
  if (isRefusal(kind)) return kind;
  const id = requiredText(object['id'], 'object.id');
  if (isRefusal(id)) return id;
  const version = requiredText(body['version'], 'version');
  if (isRefusal(version)) return version;
  if (!/^\d{1,40}$/.test(version.text)) return fieldInvalid('version', 'is not a whole number');
  const order = optionalText(body['order'], 'order');
  if (order && isRefusal(order)) return order;
  const payment = optionalText(object['payment'], 'object.payment');
  if (payment && isRefusal(payment)) return payment;

  const stream = `${kind.text}:${id.text}`;
  const own = kind.text === 'payment' ? id.text : payment?.text;
  const created = asText(body['created']);
  const made = asText(object['created']) ?? created;
  const mode = asText(body['mode']);
  const account = asText(body['account']);
  return {
    eventId: eventId.text,
    ...(deliveryId === undefined ? {} : { deliveryId }),
    providerType: providerType.text,
    type: Object.hasOwn(types, providerType.text) ? types[providerType.text] : undefined,
    object: stream,
    ...(own === undefined ? {} : { payment: own }),
    ...(order ? { order: order.text } : {}),
    refs: own === undefined || kind.text === 'payment' ? [stream] : [stream, `payment:${own}`],
    version: version.text,
    ...(created === null ? {} : { claimedAt: created }),
    ...(made === null ? {} : { createdAt: made }),
    ...(mode === null ? {} : { mode }),
    ...(account === null ? {} : { account }),
    facts: factsOf(body['data']),
  };
}

// ── fetch ──────────────────────────────────────────────────────────────────────────────────────────────────

const PAYMENT = 'payment:';

/** `GET /objects/<object>`: the object's last state, its version, and each refund of a payment. */
function readSnapshot(body: unknown, object: string): ProviderSnapshot {
  const answer = isRecord(body) ? body : {};
  // An answer about something else is as good as none: a cache or a proxy mixed two up.
  if (answer['object'] !== object) throw unusable(`is not about ${object}`);
  const word = asText(answer['type']);
  if (word === null) throw unusable('has no type');
  const version = asText(answer['version']);
  if (version === null || !/^\d{1,40}$/.test(version)) throw unusable('has no version');
  // A payment names itself, as in an event.
  const payment = object.startsWith(PAYMENT) ? object.slice(PAYMENT.length) : asText(answer['payment']);
  const order = asText(answer['order']);
  const refunds = answer['refunds'] ?? [];
  if (!Array.isArray(refunds)) throw unusable('has no list of refunds');
  return {
    type: Object.hasOwn(types, word) ? types[word] : undefined,
    providerType: word,
    body: answer,
    version,
    ...(payment === null ? {} : { payment }),
    ...(order === null ? {} : { order }),
    facts: factsOf(answer['data']),
    parts: refunds.map((refund: unknown) => {
      const part = isRecord(refund) ? asText(refund['type']) : null;
      const partType = part !== null && Object.hasOwn(types, part) ? types[part] : undefined;
      if (typeof partType !== 'string') throw unusable('lists a refund without a type');
      return { type: partType, facts: factsOf((refund as Record<string, unknown>)['data']) };
    }),
  };
}

function readObjects(body: unknown): string[] {
  const objects = isRecord(body) ? body['objects'] : undefined;
  if (!Array.isArray(objects) || !objects.every((object) => typeof object === 'string')) {
    throw unusable('has no list of objects');
  }
  return objects;
}

// ── list ───────────────────────────────────────────────────────────────────────────────────────────────────

/** `GET /changes?since=…&until=…&cursor=…`: the events of that time, as its webhooks tell them. */
function readChanges(body: unknown): ListedPage {
  const changes = isRecord(body) ? body['changes'] : undefined;
  const next = isRecord(body) ? body['next'] : undefined;
  if (!Array.isArray(changes) || !changes.every(isRecord)) throw unusable('has no list of changes');
  return {
    items: changes.map((change) => ({
      parsed: parseEvent(change),
      body: Buffer.from(JSON.stringify(change)),
    })),
    next: typeof next === 'string' ? next : null,
  };
}

const unusable = (what: string): InorderError =>
  new InorderError('internal', `sandbox: the API's answer ${what}; it is asked again`);

export const sandbox: Provider = {
  name: 'sandbox',
  version: 1,
  contract: 'sequence',
  first: '1',
  types,
  verify: (delivery, secrets, settings) => verifyStandardWebhook(delivery, secrets, settings.toleranceMs),
  parse,
  async fetch(api, object) {
    const answer = await api.get(`/objects/${encodeURIComponent(object)}`);
    return answer.status === 'gone' ? 'gone' : readSnapshot(answer.body, object);
  },
  async find(api, order) {
    const answer = await api.get(`/orders/${encodeURIComponent(order)}`);
    return answer.status === 'gone' ? [] : readObjects(answer.body);
  },
  // It is one small program: what happened is listed at once.
  listsLateMs: 2_000,
  async list(api, { sinceMs, untilMs, cursor }) {
    const query = new URLSearchParams({
      since: new Date(sinceMs).toISOString(),
      until: new Date(untilMs).toISOString(),
      ...(cursor === null ? {} : { cursor }),
    });
    const answer = await api.get(`/changes?${query.toString()}`);
    if (answer.status === 'gone') throw unusable('is not there: it lists no changes');
    return readChanges(answer.body);
  },
};
