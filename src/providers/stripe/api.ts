/**
 * The requests: which of Stripe's objects a stream is, and what is read of it. Nothing here says what it means.
 * An answer about another object or of the other mode is no answer: it is asked again.
 */
import { InorderError } from '../../errors.ts';
import { isRecord } from '../json.ts';
import type { ApiClient, SourceSettings } from '../provider.ts';
import type { Fields } from './fields.ts';
import { referenceOf } from './fields.ts';
import type { Kind } from './types.ts';

/**
 * The version every request asks for, so that an upgrade in Stripe's dashboard changes no answer. It is that of the
 * official package that the tests compare with; whoever raises one raises both.
 */
export const API_VERSION = '2026-10-28.endive';

export function apiHeaders(settings: SourceSettings): Record<string, string> {
  return {
    'stripe-version': API_VERSION,
    // A connected account's objects are read with the platform's key, in the account's name.
    ...(settings.account === null ? {} : { 'stripe-account': settings.account }),
  };
}

export type Askable = Exclude<Kind, 'refund'>;

const PATHS: Record<Askable, string> = {
  payment_intent: '/v1/payment_intents',
  charge: '/v1/charges',
  dispute: '/v1/disputes',
  'checkout.session': '/v1/checkout/sessions',
};

/** Which of Stripe's objects a stream is about. */
export function askable(object: string): { kind: Askable; id: string } {
  const colon = object.indexOf(':');
  const id = object.slice(colon + 1);
  switch (object.slice(0, colon)) {
    case 'payment':
      // Charges made without an intent; those of bank debits begin with `py_`.
      return { kind: /^(ch|py)_/.test(id) ? 'charge' : 'payment_intent', id };
    case 'dispute':
      return { kind: 'dispute', id };
    case 'session':
      return { kind: 'checkout.session', id };
    default:
      throw new InorderError(
        'internal',
        'stripe: only payments, disputes and sessions can be asked about; under "types", give events about other objects no type',
      );
  }
}

export async function get(
  api: ApiClient,
  { kind, id }: { kind: Askable; id: string },
  expand: readonly string[],
  settings: SourceSettings,
): Promise<Fields | 'gone'> {
  const path = `${PATHS[kind]}/${encodeURIComponent(id)}`;
  const answer = await api.get(
    withQuery(
      path,
      expand.map((field) => ['expand[]', field]),
    ),
  );
  if (answer.status === 'gone') return 'gone';
  const object = answer.body;
  if (!isRecord(object) || object['object'] !== kind || referenceOf(object['id']) !== id) {
    throw unusable(`is not about the ${kind} that was asked for`);
  }
  checkMode(object, settings);
  return object;
}

export function checkMode(object: Fields, { mode }: SourceSettings): void {
  if (mode !== null && object['livemode'] !== (mode === 'live')) {
    throw unusable(`is not of ${mode} mode: the key and the source are of different modes`);
  }
}

const PAGE = '100';
/** Who refunds one charge more than two thousand times must be looked at by a person. */
const MAX_REFUND_PAGES = 20;

/** All refunds of a charge, the oldest first. The answer about the charge holds the newest ten. */
export async function refundsOf(api: ApiClient, charge: string, first: unknown): Promise<Fields[]> {
  let page = pageOf(first);
  const refunds = [...page.objects];
  for (let pages = 0; page.hasMore; pages += 1) {
    const last = referenceOf(refunds.at(-1)?.['id']);
    if (pages === MAX_REFUND_PAGES || last === null) throw unusable('lists refunds without an end');
    const answer = await api.get(
      withQuery('/v1/refunds', [
        ['charge', charge],
        ['limit', PAGE],
        ['starting_after', last],
      ]),
    );
    if (answer.status === 'gone') throw unusable('lists refunds that are gone');
    page = pageOf(answer.body);
    refunds.push(...page.objects);
  }
  return refunds.reverse();
}

export interface Page {
  objects: Fields[];
  hasMore: boolean;
  /** Of a search: where it goes on. */
  next: string | null;
}

export function pageOf(list: unknown): Page {
  const data = isRecord(list) ? list['data'] : undefined;
  if (!isRecord(list) || !Array.isArray(data) || !data.every(isRecord)) throw unusable('holds no list');
  const next = list['next_page'];
  return { objects: data, hasMore: list['has_more'] === true, next: typeof next === 'string' ? next : null };
}

export function withQuery(path: string, parameters: (readonly string[])[]): string {
  const query = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value as string)}`).join('&');
  return query === '' ? path : `${path}?${query}`;
}

export const unusable = (what: string): InorderError =>
  new InorderError('internal', `stripe: the API's answer ${what}; it is asked again`);
