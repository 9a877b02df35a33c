/**
 * The words that receiver, worker and operators share with an order's workflow: names and payload shapes in one
 * place, so that sender and handler cannot drift apart (a test ties them together). Types and names only:
 * importing this file brings neither the Temporal SDK nor the core's code.
 */
import type {
  EffectAction,
  EventRef,
  OrderEvent,
  OrderKey,
  OrderState,
  SourcePolicy,
} from '../src/ordering/state.ts';

export const ORDER_WORKFLOW = 'order';
export const DELIVER_SIGNAL = 'deliver';
export const RECONCILE_UPDATE = 'reconcile';
export const RESOLVE_UPDATE = 'resolve';
export const EFFECT_UPDATE = 'effect';
export const LINK_UPDATE = 'link';
export const STATE_QUERY = 'state';

export const RECONCILE_SOURCE_WORKFLOW = 'reconcileSource';
export const PROGRESS_QUERY = 'progress';

/** Where asks about a source are put: one queue per source, so that the server can pace it. */
export const askTaskQueue = (taskQueue: string, source: string): string => `${taskQueue}-ask-${source}`;

/** All that waits for one order, at most 100 events and 100 KB; an empty list only wakes the order. */
export interface DeliverSignal {
  v: 1;
  events: OrderEvent[];
  /** Policies of the sources of this machine and environment, by name. */
  sources: Record<string, SourcePolicy>;
  /** The store was restored, and it was named what is lost: the order looks again at what is stored, and asks. */
  restored?: true;
}

export interface OrderInput {
  v: 1;
  key: OrderKey;
  /** Set by continue-as-new only: the run goes on from here without loading. */
  carried?: CarriedOrder;
}
/** What one run hands to the next: what `apply` stored last, and the events not yet judged. */
export interface CarriedOrder {
  state: OrderState;
  revision: number;
  inbox: OrderEvent[];
  /** When the store was last seen to have this revision, epoch ms. */
  knownAt?: number;
}

/** Who asks, and why: journalled with the outcome. */
export interface PersonsRequest {
  actor: string;
  reason: string;
}
export interface ReconcileRequest extends PersonsRequest {
  /** One stream, or all that can be asked. */
  stream: string | null;
}
export interface ResolveRequest extends PersonsRequest {
  /** The revision the person saw; refused if the order moved since. */
  revision: number;
  /** null: what is said about the order itself. */
  stream: string | null;
  event: EventRef | null;
  /** `apply`: to this status. `ignore`: the event settles without a change. `rebase`: its version is the new base. */
  resolution: { kind: 'apply'; status: string } | { kind: 'ignore' } | { kind: 'rebase' };
}
export interface EffectWordRequest extends PersonsRequest {
  /** The effect's idempotency key. */
  key: string;
  /** `retry`: run it (again). `confirm`: it was done. `skip`: it was not done, and shall not be. */
  action: EffectAction;
  /** The state that the person saw; refused if it is another one by now. */
  seen?: string;
}
export interface LinkRequest extends PersonsRequest {
  /** An event whose order is not known yet. */
  event: EventRef;
  stream: string;
}
/** A window of a source's list, epoch ms. */
export interface ListingWindow {
  sinceMs: number;
  untilMs: number;
}
export interface ReconcileSourceInput {
  v: 1;
  source: string;
  /** What a person asks for; null: the schedule, which goes on where its cursor stands. */
  byHand: (ListingWindow & { isDryRun: boolean }) | null;
  /** Set by continue-as-new only. */
  carried?: ReconcileProgress;
}
/** How often each end came, of all that was listed. */
export interface ListingCounts {
  listed: number;
  /** Stored before, by its webhook or by an earlier look. */
  known: number;
  /** New, and stored now; of a dry run: would be. */
  found: number;
  /** Of a type or an account that nobody here wants. */
  unwanted: number;
  /** No event of this provider's; refused as at the door. */
  unreadable: number;
}
export interface ReconcileProgress {
  /** The window being read; null: none yet. */
  window: ListingWindow | null;
  page: string | null;
  /** One of the pages read before; a list that comes back to it goes round. null: the first. */
  before?: string | null;
  pages: number;
  counts: ListingCounts;
  /** Why the last question was not answered; null: it was. */
  waitsFor: string | null;
  isDryRun: boolean;
}

export interface UpdateResult {
  revision: number;
  status: string;
  /** null: done. Otherwise in words why the request was not carried out; nothing changed. */
  refused: string | null;
}
