/**
 * What the workflow that reads a source's list may call. Shapes only; `open-listing.ts` and `list-page.ts` implement
 * them.
 */
import type { ListingCounts, ListingWindow } from '../workflows/messages.ts';

export interface OpenListingInput {
  source: string;
}
/** null: no worker is configured to read this source's list on a schedule. */
export type OpenListingResult = (ListingWindow & { page: string | null; isResumed: boolean }) | null;

export interface ListPageInput {
  source: string;
  window: ListingWindow;
  /** The provider's cursor; null: the first page. */
  page: string | null;
  /** A page that was read before this one. */
  before?: string | null;
  /** `schedule` moves the source's cursor; `dry run` stores nothing. */
  by: 'schedule' | 'hand' | 'dry run';
}
export type ListPageResult =
  | { kind: 'page'; next: string | null; counts: ListingCounts }
  /** The provider does not know this page any more: the window is read from its first one. */
  | { kind: 'restart'; error: string }
  /** It named a page as the next one that was read before: asking again would not end either. */
  | { kind: 'endless'; error: string }
  | { kind: 'unavailable'; error: string; retryAfterMs: number | null };

export interface ListingActivities {
  openListing(input: OpenListingInput): Promise<OpenListingResult>;
  listPage(input: ListPageInput): Promise<ListPageResult>;
}
