/**
 * A delivery's body to one event. Stripe sends one event per request: a snapshot event with the object as it was, or
 * a thin one that only names its object.
 */
import { isRecord, parseJsonBody } from '../json.ts';
import type { ParsedEvent, RawDelivery, Refusal, SourceSettings } from '../provider.ts';
import { isRefusal } from '../provider.ts';
import type { Fields } from './fields.ts';
import { instantOf, missing, referenceOf } from './fields.ts';
import { fieldInvalid, optionalText, requiredText } from '../read-fields.ts';
import { orderIn } from './order.ts';
import type { Kind, Reading } from './types.ts';
import { paymentOf, words } from './types.ts';

const THIN =
  'a thin event: it names its object and says nothing about it; choose the payload style "Snapshot" for this endpoint in Stripe';

export function parse(delivery: RawDelivery, settings: SourceSettings): (ParsedEvent | Refusal)[] {
  const body = parseJsonBody(delivery.body);
  return [isRefusal(body) ? body : parseEvent(body.value, settings)];
}

/** One event, as a webhook brings it and as the list of events has it. */
export function parseEvent(body: Fields, settings: SourceSettings): ParsedEvent | Refusal {
  const format = requiredText(body['object'], 'object');
  if (isRefusal(format)) return format;
  if (format.text !== 'event' && format.text !== 'v2.core.event') {
    return fieldInvalid('object', 'is not "event": this is no event of Stripe');
  }
  const id = requiredText(body['id'], 'id');
  if (isRefusal(id)) return id;
  const type = requiredText(body['type'], 'type');
  if (isRefusal(type)) return type;
  const account = optionalText(body['account'], 'account');
  if (account !== null && isRefusal(account)) return account;
  const livemode = body['livemode'];
  const event = {
    eventId: id.text,
    providerType: type.text,
    ...(typeof livemode === 'boolean' ? { mode: livemode ? 'live' : 'test' } : {}),
    ...(account === null ? {} : { account: account.text }),
  };
  return format.text === 'event' ? parseSnapshot(event, body, settings) : parseThin(event, body);
}

type Head = Pick<ParsedEvent, 'eventId' | 'providerType' | 'mode' | 'account'>;

function parseSnapshot(event: Head, body: Fields, settings: SourceSettings): ParsedEvent | Refusal {
  const data = isRecord(body['data']) ? body['data'] : {};
  const object = data['object'];
  if (!isRecord(object)) return missing('data.object');
  const kind = requiredText(object['object'], 'data.object.object');
  if (isRefusal(kind)) return kind;
  const word = Object.hasOwn(words, event.providerType) ? words[event.providerType] : undefined;
  if (word !== undefined && kind.text !== word.kind) {
    return fieldInvalid('data.object', `is not a ${word.kind}, which its type speaks of`);
  }
  const isKnown = isKind(kind.text);
  // Some objects beside payments have no id (a balance): their events stand for themselves.
  const id = isKnown
    ? requiredText(object['id'], 'data.object.id')
    : (optionalText(object['id'], 'data.object.id') ?? { text: event.eventId });
  if (isRefusal(id)) return id;
  const unusable = isKnown ? REFERENCES.find((name) => isUnusable(object[name])) : undefined;
  if (unusable !== undefined) return fieldInvalid(`data.object.${unusable}`, 'is no id');
  const order = orderIn(object, settings.orderPaths);
  if (order !== null && isRefusal(order)) return order;
  const reading: Reading = word?.read(object) ?? { type: undefined, facts: {} };
  if (isRefusal(reading)) return reading;

  const names = isKnown
    ? namesOf(kind.text as Kind, object, id.text)
    : { object: `${kind.text}:${id.text}`, refs: [`${kind.text}:${id.text}`] };
  const claimedAt = instantOf(body['created']);
  const createdAt = instantOf(object['created']);
  return {
    ...event,
    type: reading.type,
    ...names,
    ...(order === null ? {} : { order: order.text }),
    ...(claimedAt === null ? {} : { claimedAt }),
    ...(createdAt === null ? {} : { createdAt }),
    ...('note' in reading && reading.note !== undefined ? { note: reading.note } : {}),
    facts: reading.facts,
  };
}

/** Read as absent, a broken one would make the event another payment's. */
const REFERENCES = ['payment_intent', 'charge', 'latest_charge'];

const isUnusable = (reference: unknown): boolean =>
  reference !== undefined && reference !== null && referenceOf(reference) === null;

const isKind = (text: string): text is Kind => Object.values(words).some(({ kind }) => kind === text);

/** The stream, the payment that bears it, and all objects the event names. */
function namesOf(kind: Kind, object: Fields, id: string): Pick<ParsedEvent, 'object' | 'refs' | 'payment'> {
  const payment = paymentOf(kind, object);
  const refs = {
    payment: kind === 'checkout.session' && payment === id ? null : payment,
    charge:
      kind === 'charge' ? id : referenceOf(object[kind === 'payment_intent' ? 'latest_charge' : 'charge']),
    refund: kind === 'refund' ? id : null,
    dispute: kind === 'dispute' ? id : null,
    session: kind === 'checkout.session' ? id : null,
  };
  const named = Object.entries(refs).flatMap(([name, ref]) => (ref === null ? [] : [`${name}:${ref}`]));
  return {
    object: kind === 'dispute' ? `dispute:${id}` : (named[0] as string),
    ...(payment === null ? {} : { payment }),
    refs: named,
  };
}

function parseThin(event: Head, body: Fields): ParsedEvent {
  const related = isRecord(body['related_object']) ? body['related_object'] : {};
  const id = referenceOf(related['id']);
  const kind = referenceOf(related['type']) ?? 'object';
  const object = id === null ? `event:${event.eventId}` : `${kind}:${id}`;
  const created = body['created'];
  return {
    ...event,
    type: null,
    object,
    refs: [object],
    ...(typeof created === 'string' ? { claimedAt: created } : {}),
    note: THIN,
    facts: {},
  };
}
