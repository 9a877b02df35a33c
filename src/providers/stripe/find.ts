/**
 * From an object to its order and back. Stripe's search reads metadata only, and lags: what was written a minute ago
 * may not be found, so nothing is ever decided by what it does not find.
 */
import { isRecord } from '../json.ts';
import type { ApiClient, SourceSettings } from '../provider.ts';
import { isRefusal } from '../provider.ts';
import type { Askable } from './api.ts';
import { askable, checkMode, get, pageOf, unusable, withQuery } from './api.ts';
import type { Fields } from './fields.ts';
import { referenceOf } from './fields.ts';
import { metadataKey, orderIn } from './order.ts';

const EXPANDED: Record<Askable, string[]> = {
  payment_intent: [],
  charge: ['payment_intent'],
  dispute: ['payment_intent', 'charge'],
  'checkout.session': ['payment_intent'],
};

/** The order of an object whose events name none: its own, that of its payment, that of the payment's session. */
export async function orderOf(
  api: ApiClient,
  object: string,
  settings: SourceSettings,
): Promise<string | null> {
  const asked = askable(object);
  const answer = await get(api, asked, EXPANDED[asked.kind], settings);
  if (answer === 'gone') return null;
  const intent = asked.kind === 'payment_intent' ? asked.id : referenceOf(answer['payment_intent']);
  for (const named of [answer, answer['payment_intent'], answer['charge']]) {
    const order = isRecord(named) ? textOf(named, settings) : null;
    if (order !== null) return order;
  }
  return intent === null ? null : orderOfSession(api, intent, settings);
}

async function orderOfSession(
  api: ApiClient,
  intent: string,
  settings: SourceSettings,
): Promise<string | null> {
  const answer = await api.get(withQuery('/v1/checkout/sessions', [['payment_intent', intent]]));
  if (answer.status === 'gone') return null;
  for (const session of pageOf(answer.body).objects) {
    checkMode(session, settings);
    const order = textOf(session, settings);
    if (order !== null) return order;
  }
  return null;
}

function textOf(object: Fields, settings: SourceSettings): string | null {
  const order = orderIn(object, settings.orderPaths);
  return order === null || isRefusal(order) ? null : order.text;
}

export const canFind = ({ orderPaths }: SourceSettings): boolean =>
  orderPaths.some((path) => metadataKey(path) !== null);

const PAGE = '100';
/** An order with more than a thousand payments is no order. */
const MAX_PAGES = 10;

/** The payments whose metadata name the order. */
export async function find(api: ApiClient, order: string, settings: SourceSettings): Promise<string[]> {
  const query = settings.orderPaths
    .map(metadataKey)
    .filter((key) => key !== null)
    .map((key) => `metadata[${quoted(key)}]:${quoted(order)}`)
    .join(' OR ');
  const found: string[] = [];
  let page: string | null = null;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const answer = await api.get(
      withQuery('/v1/payment_intents/search', [
        ['query', query],
        ['limit', PAGE],
        ...(page === null ? [] : [['page', page]]),
      ]),
    );
    if (answer.status === 'gone') return found;
    const { objects, hasMore, next } = pageOf(answer.body);
    for (const intent of objects) {
      checkMode(intent, settings);
      const id = referenceOf(intent['id']);
      // The search folds case; two orders whose ids differ by it are two orders (R12).
      if (id !== null && textOf(intent, settings) === order) found.push(`payment:${id}`);
    }
    if (!hasMore || next === null) return found;
    page = next;
  }
  throw unusable('lists payments of one order without an end');
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
