/**
 * How a story speaks for a provider: fields become the bytes that it sends, and its truth the bodies that its API
 * answers. One file each (`write-<provider>.ts`), the same sections in the same order. Nothing here opens a connection:
 * the real player puts HTTP around it, the pure one calls it.
 */
import type { Source } from '../../../config/resolved.ts';
import type { ToldEvent } from './told-event.ts';
import type { Truth } from './truth.ts';

/** What is signed; the headers are what goes with it beside content type and signature. */
export interface UnsignedDelivery {
  /** By which its scheme knows the message; an event's own, or made up for bytes that name none. */
  id: string;
  body: Buffer;
}

export interface Signing {
  /** Several: each signs, in this order. */
  secrets: string[];
  timestampSeconds: number;
}

export interface ApiRequest {
  /** Decoded segments below the API's base. */
  path: string[];
  query: URLSearchParams;
}
export interface ApiReply {
  status: number;
  /** Sent as JSON; a text goes as it is. */
  body: unknown;
}
export type WrongAnswer = 'another_object' | 'a_page' | 'half' | 'an_unknown_type';

export interface ProviderWriter {
  /** A secret of its scheme, as good as any. */
  newSecret(): string;
  /** What a source of it has in its configuration, if the story does not say otherwise. */
  source(api: { url: string; key: string } | null, said: Record<string, unknown>): Record<string, unknown>;

  // ── deliveries ───────────────────────────────────────────────────────────────────────────────────────────
  /** The event in the provider's own shape. */
  body(event: ToldEvent, source: Source): Buffer;
  /** The headers of a delivery, its signature among them. */
  sign(delivery: UnsignedDelivery, signing: Signing): Record<string, string>;
  /** A word of which nothing of the order follows. */
  hasMeaning(type: string, source: Source): boolean;

  // ── the API ──────────────────────────────────────────────────────────────────────────────────────────────
  /** `behind`: from what was true so many changes ago. `wrong`: how it is spoilt, if only its provider knows how. */
  answer(
    request: ApiRequest,
    known: { source: Source; truth: Truth; behind: number; wrong: WrongAnswer | null },
  ): ApiReply;
}
