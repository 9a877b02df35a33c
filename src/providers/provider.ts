/**
 * The interface every provider adapter implements (public as `inorder/provider`). An adapter turns bytes into
 * events and a provider's answers into snapshots; it never touches the store, and it decides nothing.
 */
import type { Contract, Facts } from '../ordering/state.ts';

export interface Secret {
  id: string;
  value: string;
  /** Not accepted after this instant, epoch ms; null: no end. */
  untilMs: number | null;
}

/** One HTTP request as it came: header names in lower case, repeated headers kept apart. */
export interface RawDelivery {
  source: string;
  headers: Record<string, string[]>;
  /** The raw bytes after Content-Encoding was undone; what signatures are checked over. */
  body: Buffer;
  /** Full public URL, for schemes that sign it. */
  url: string;
  receivedAtMs: number;
}

/** Codes of refused deliveries: the answer's `error`, the metric's label, the record's reason. */
export type RefusalCode =
  | 'signature_missing'
  | 'signature_invalid'
  | 'timestamp_missing'
  | 'timestamp_outside'
  | 'timestamp_unit'
  | 'body_empty'
  | 'body_truncated'
  | 'body_malformed'
  | 'field_missing'
  | 'field_invalid'
  | 'type_unknown'
  | 'source_unknown'
  | 'method_not_allowed'
  | 'media_type'
  | 'encoding'
  | 'too_large'
  | 'too_slow'
  | 'unavailable';

/** An expected outcome, returned and never thrown. The message says what was wrong and what to do. */
export interface Refusal {
  refused: RefusalCode;
  message: string;
}
export const isRefusal = (value: object): value is Refusal => 'refused' in value;

export interface ParsedEvent {
  eventId: string;
  deliveryId?: string;
  /** The provider's own word. */
  providerType: string;
  /** A neutral type; null: the adapter knows it and nobody wants it; undefined: unknown. */
  type: string | null | undefined;
  /** What the stream is about, e.g. `payment:pi_1`. */
  object: string;
  payment?: string;
  order?: string;
  /** All objects the event names, this one too: what links are made of. */
  refs: string[];
  version?: string;
  claimedAt?: string;
  createdAt?: string;
  mode?: string;
  account?: string;
  /** Why it has no type, in a sentence for people: kept as the reason of an archived event. */
  note?: string;
  facts: Facts;
}

/** A provider's answer about an object, before the core sees it. */
export interface ProviderSnapshot {
  /** A neutral type; null: it says nothing about an order yet; undefined: only the team's `types` may know it. */
  type: string | null | undefined;
  /** The provider's own word, where the source's `types` may map it; the team's word counts over `type`. */
  providerType?: string;
  version?: string;
  payment?: string;
  order?: string;
  /** When the object was made. */
  createdAt?: string;
  facts: Facts;
  parts?: { type: string; facts: Facts; createdAt?: string }[];
  /** Types of which `parts` holds every happening there is: an event of such a type that is not listed is no news. */
  lists?: string[];
  /** The object as the API gave it: what a function under the source's `types` is called with. */
  body?: unknown;
}

/** A window of time that a provider is asked to list, page by page. */
export interface ListRequest {
  /** What it says happened from this instant on, epoch ms … */
  sinceMs: number;
  /** … and before this one. More may be listed: what is known already changes nothing. */
  untilMs: number;
  /** The `next` of the page before; null: the first page. */
  cursor: string | null;
}

/** Something listed, as an event: read by the same function as a webhook about it, under the same id. */
export interface ListedItem {
  parsed: ParsedEvent | Refusal;
  /** What is kept of it: the bytes a webhook would have had, as nearly as the list tells them. */
  body: Buffer;
}

export interface ListedPage {
  items: ListedItem[];
  /** null: this was the last page. */
  next: string | null;
}

/** What an adapter may know of its source's config. */
export interface SourceSettings {
  name: string;
  environment: string;
  toleranceMs: number;
  /** Dot paths inside the provider's object under which the order id is looked for. */
  orderPaths: string[];
  /** Only for schemes whose payload is not fixed. */
  paths: Record<string, string>;
  /** The team's word about the provider's words: it counts over the adapter's. */
  types?: Record<string, string | null | ((body: unknown) => string | null)>;
  /** What the source takes of its provider; others are kept as `foreign`. */
  mode: string | null;
  account: string | null;
  /**
   * Only for schemes whose API is not fixed: paths below the API's base, with {object} or {order} in them, and where
   * the fields of an answer are, if not where an event has them.
   */
  requests: { fetch?: string; find?: string; paths?: Record<string, string>; list?: ListTemplate };
}

/** How a sender's list is read that no adapter can know. */
export interface ListTemplate {
  /** With {since}, {until}, {sinceSeconds}, {untilSeconds}, {cursor} in it. */
  request: string;
  /** Whether it lists what happened, or what is true of the objects that changed. */
  of: 'events' | 'objects';
  /** Where the list and the next page's cursor are in an answer, as dot paths; without the first, it is the list. */
  items?: string;
  next?: string;
  /** Where the fields of an item are, if not where an event (or, of objects, an answer) has them. */
  paths: Record<string, string>;
}

/** What an adapter finds wrong with a source's settings. */
export interface SettingsProblem {
  /** Below the source, e.g. `['paths', 'order']`. */
  path: PropertyKey[];
  /** What is wrong and what to do; never a secret's value. */
  message: string;
}

/** How an adapter reads its API: one wrapper over fetch with time limit, size limit and Retry-After. */
export interface ApiClient {
  /** Parsed JSON with big integers kept as strings; `gone` on 404 and 410. Throws ApiUnavailable otherwise. */
  get(path: string): Promise<{ status: 'ok'; body: unknown } | { status: 'gone' }>;
}

export interface Provider {
  name: string;
  /** Of the adapter; stored with each event (R9). */
  version: number;
  contract: Contract;
  /** The first version of every stream, where the provider promises one; without it, `any`. */
  first?: string;
  /** The provider's words to neutral types; null: known, not wanted. */
  types: Record<string, string | null>;
  /** What of a source's settings cannot work with this scheme; asked when a configuration is checked. */
  problems?(source: { settings: SourceSettings; contract: Contract; secrets: Secret[] }): SettingsProblem[];
  /** Over the raw bytes, in constant time, before anything is parsed (R1). */
  verify(delivery: RawDelivery, secrets: Secret[], settings: SourceSettings): { secretId: string } | Refusal;
  /** One verdict per item; a bad item does not spoil the others. */
  parse(delivery: RawDelivery, settings: SourceSettings): (ParsedEvent | Refusal)[];
  /** Media types it sends beside JSON; others are refused. */
  mediaTypes?: readonly string[];
  /** Request headers, in lower case, that are kept with a delivery beside the general ones; never credentials. */
  headers?: readonly string[];
  /** The 2xx this provider expects; default 202 with JSON. */
  acknowledge?(known: boolean): { status: number; contentType: string; body: string };
  /** Where in the body the paths of `order` begin, as a dot path; without it the adapter does not use them. */
  orderPathsFrom?: string;
  /** How long it goes on to deliver what was not answered 2xx; with the place where it says so beside it. */
  retryWindowMs?: number;
  /** What is wrong with the form of a secret, as a sentence without it; null: nothing. */
  secretProblem?(value: string): string | null;
  /** The same of an API key: of another mode, or one that may do more than read. */
  keyProblem?(key: string, settings: SourceSettings): string | null;
  /** Where its API answers when the source does not say; then a source with a key can be asked. */
  apiBase?: string;
  /** Headers of each request to its API beside the bearer, e.g. the version of the API. */
  apiHeaders?(settings: SourceSettings): Record<string, string>;
  fetch?(api: ApiClient, object: string, settings: SourceSettings): Promise<ProviderSnapshot | 'gone'>;
  /** The objects of an order, newest state not included. */
  find?(api: ApiClient, order: string, settings: SourceSettings): Promise<string[]>;
  /** What happened in a window of time: events, or objects that changed. It settles nothing; it is news. */
  list?(api: ApiClient, request: ListRequest, settings: SourceSettings): Promise<ListedPage>;
  /** For how long it lists what happened; without it, for ever. */
  listsForMs?: number;
  /** How much later than it happened something may turn up in its list; without it, five minutes. */
  listsLateMs?: number;
  /** Whether this source's settings allow it to be asked so; without it, all do. */
  canFetch?(settings: SourceSettings): boolean;
  canFind?(settings: SourceSettings): boolean;
  canList?(settings: SourceSettings): boolean;
  /** The order of an object that names none (R11); without it, what `fetch` says. null: the provider knows none. */
  orderOf?(api: ApiClient, object: string, settings: SourceSettings): Promise<string | null>;
}
