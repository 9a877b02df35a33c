/**
 * Reads one source's list from where its cursor stands to now, or a window that a person names, page by page. Started
 * by the source's schedule, or by `inorder reconcile`.
 *
 * L1  One page is one activity on the source's own task queue, which the server paces together with asks.
 * L2  A page's events are stored, and the cursor turned, by that activity; this workflow holds nothing that a run
 *     after it would need. Ended at any instant, the next run of the schedule goes on with the same page.
 * L3  A provider that does not answer is asked again after its Retry-After, a few times. Then the run fails, so that
 *     it shows, and the next one goes on.
 */
import {
  ApplicationFailure,
  continueAsNew,
  defineQuery,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { ListPageInput, OpenListingResult } from '../activities/listing-activities.ts';
import { listingDetails } from './listing-details.ts';
import { listActivities, listingStore } from './listing-proxies.ts';
import { PROGRESS_QUERY } from './messages.ts';
import type { ListingCounts, ReconcileProgress, ReconcileSourceInput } from './messages.ts';

const progress = defineQuery<ReconcileProgress>(PROGRESS_QUERY);

const MAX_FAILURES_IN_A_ROW = 6;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** Who asks for a longer pause is left to the next run. */
const LONGEST_RETRY_AFTER_MS = 15 * 60_000;
/** A window that is begun again and again is no progress. */
const MAX_RESTARTS = 3;

export async function reconcileSource(input: ReconcileSourceInput): Promise<ReconcileProgress> {
  const { source, byHand } = input;
  const now: ReconcileProgress = input.carried ?? freshProgress(byHand?.isDryRun ?? false);
  const by: ListPageInput['by'] = byHand === null ? 'schedule' : byHand.isDryRun ? 'dry run' : 'hand';
  let failures = 0;
  let restarts = 0;
  let isResumed = false;
  const show = () => setCurrentDetails(listingDetails(source, now));
  setHandler(progress, () => now, { description: 'How far the list was read, and what was found.' });

  if (now.window === null) {
    const opened: OpenListingResult =
      byHand === null
        ? await listingStore.openListing({ source })
        : { ...byHand, page: null, isResumed: false };
    if (opened === null) return now;
    now.window = { sinceMs: opened.sinceMs, untilMs: opened.untilMs };
    now.page = opened.page;
    now.before = opened.page;
    isResumed = opened.isResumed;
  }
  show();
  for (;;) {
    const { window, page } = now;
    const read = await listActivities(source).listPage.executeWithOptions(
      { summary: `page ${now.pages + 1} of what ${source} lists`.slice(0, 66) },
      [{ source, window, page, before: now.before ?? null, by }],
    );
    switch (read.kind) {
      case 'page':
        failures = 0;
        now.waitsFor = null;
        now.pages += 1;
        now.page = read.next;
        // Ever further apart, so that a round of any length is noticed and one page is all there is to remember.
        if (Number.isInteger(Math.log2(now.pages))) now.before = read.next;
        add(now.counts, read.counts);
        show();
        if (read.next !== null) break;
        // What came while an old window was read to its end is not left to the next run.
        if (!isResumed) return now;
        {
          const next: OpenListingResult = await listingStore.openListing({ source });
          if (next === null) return now;
          now.window = { sinceMs: next.sinceMs, untilMs: next.untilMs };
          now.page = next.page;
          isResumed = false;
        }
        break;
      case 'restart':
        restarts += 1;
        if (restarts > MAX_RESTARTS) throw givenUp(read.error);
        now.page = null;
        now.before = null;
        break;
      case 'endless':
        throw givenUp(read.error);
      case 'unavailable': {
        failures += 1;
        const pauseMs = Math.max(
          read.retryAfterMs ?? 0,
          Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1)),
        );
        if (failures >= MAX_FAILURES_IN_A_ROW || pauseMs > LONGEST_RETRY_AFTER_MS) throw givenUp(read.error);
        now.waitsFor = read.error;
        show();
        await sleep(pauseMs, { summary: read.error.slice(0, 66) });
        break;
      }
      default:
        throw new Error(read satisfies never);
    }
    if (workflowInfo().continueAsNewSuggested)
      return continueAsNew<typeof reconcileSource>({ ...input, carried: now });
  }
}

const freshProgress = (isDryRun: boolean): ReconcileProgress => ({
  window: null,
  page: null,
  pages: 0,
  counts: { listed: 0, known: 0, found: 0, unwanted: 0, unreadable: 0 },
  waitsFor: null,
  isDryRun,
});

function add(sum: ListingCounts, more: ListingCounts): void {
  for (const name of Object.keys(more) as (keyof ListingCounts)[]) sum[name] += more[name];
}

/** (L3) */
const givenUp = (error: string): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'ListUnavailable',
    message: `${error}; the next run goes on where this one stands`,
    nonRetryable: true,
  });
