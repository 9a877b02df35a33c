/**
 * What an order's workflow knows: the shapes of the pure core. Everything here is plain JSON, because it is
 * stored in MySQL and carried in Temporal history. Words are those of docs/glossary.md.
 */

/** The format of the stored state; a reader accepts every number up to this one, forever. */
export const STATE_FORMAT = 1;

export interface OrderKey {
  machine: string;
  environment: string;
  id: string;
}

export type Contract = 'sequence' | 'monotonic' | 'unordered';
export type Facts = Record<string, string>;

/** Points at one stored event; all three parts must match a row (a restored store may reuse a `seq`). */
export interface EventRef {
  /** The row's number, as a decimal string. */
  seq: string;
  source: string;
  event: string;
}

/** A normalised event: all of a delivery that decisions see. */
export interface OrderEvent extends EventRef {
  /** `<source>/<object>`: versions compare only inside one stream (R24). */
  stream: string;
  /** null: known and not wanted; it only counts in a contiguous sequence. */
  type: string | null;
  payment: string | null;
  /** A decimal integer of any size, or an instant in canonical form; null when the provider gives none. */
  version: string | null;
  /** The provider's own time, canonical; decides nothing but which hint is the newest. */
  claimedAt: string | null;
  /** When the object was made, canonical; absent: not known. */
  createdAt?: string;
  /** Equal facts are the same news, whatever their ids. */
  fact: string;
  facts: Facts;
  /** Set when the store has settled the same (stream, version, fact) under another id. */
  twin?: true;
  /** Set when the same event id arrived with other news. */
  conflict?: true;
}

/** What a source promises and may be asked, as its config says; travels with each `deliver` signal. */
export interface SourcePolicy {
  contract: Contract;
  /** The provider can be asked about an object. */
  api: boolean;
  /** The provider can be asked which objects an order has. */
  find: boolean;
  /** The first version of a stream, or `any`. */
  first: string;
  gapTimeoutMs: number;
  lagWindowMs: number;
  askDeadlineMs: number;
  /** `record`: shadow mode, effects are written and never run. */
  effects: 'run' | 'record';
  /** Orders whose objects were made before this instant are adopted (canonical). Absent in older states: none. */
  existingBefore?: string | null;
}

export type HeldReason = 'gap' | 'asking' | 'unlisted' | 'tie' | 'review';
export type FinalOutcome =
  'applied' | 'ignored' | 'stale' | 'superseded' | 'review' | 'archived' | 'foreign' | 'failed';
export type Outcome = FinalOutcome | 'held' | 'unlinked';

export interface HeldEvent extends OrderEvent {
  /** When it was first held, epoch ms. */
  since: number;
  reason: HeldReason;
  /** It only waits for an earlier one of its stream; it was not judged itself. */
  behind: boolean;
  /** The number of the ask that was sent while it was held; null when none was since. */
  ask: number | null;
  /** With reason `review`, why: its outcome is `review`, and it stays here until it is resolved. */
  review: string | null;
}

/** An answer of the provider about one stream. */
export interface Snapshot {
  stream: string;
  /** null: the object is in no state of consequence. Only at the door: what is kept of answers has a type. */
  type: string | null;
  version: string | null;
  payment: string | null;
  fact: string;
  facts: Facts;
  /** When the request was sent, epoch ms. */
  asOf: number;
  /** When the object was made, canonical. */
  createdAt?: string;
  /** Single happenings the answer lists (each refund of a payment), booked under their own keys. */
  parts: { type: string; fact: string; facts: Facts; createdAt?: string }[];
  /** Types of which `parts` holds every happening. */
  lists?: string[];
}

/** How an ask ended. `gone`: the provider does not know the object; `other`: it is another order's by now. */
export type Answer =
  | { kind: 'snapshot'; snapshot: Snapshot }
  | { kind: 'gone'; stream: string; asOf: number }
  | { kind: 'other'; stream: string; asOf: number; order: string }
  | { kind: 'unavailable'; stream: string; asOf: number; error: string; retryAfterMs: number | null };

/** An ask that is open on a stream: in flight, or waiting for `retryAt`. */
export interface OpenAsk {
  n: number;
  reason: string;
  since: number;
  attempts: number;
  /** Not before this instant (epoch ms); null: it is under way. */
  retryAt: number | null;
  /** The ask's deadline has passed; a person is asked meanwhile. */
  late: boolean;
}

/** The last thing a stream said, moved or not: judged again when the order moves. */
export interface LastWord {
  type: string;
  fact: string;
  facts: Facts;
  payment: string | null;
  version: string | null;
  ref: EventRef | null;
  /** It moved the order when it was last judged. */
  moved: boolean;
}

/** An answer that waits: for the order to move, or (with `review`) for a person. */
export interface HeldAnswer {
  snapshot: Snapshot & { type: string };
  /** The number of the ask that it answered: what was held later is none of its business. Absent in older states. */
  ask?: number;
  since: number;
  review: string | null;
  /** It waited too long for the order to move: a person is asked, too, and whoever explains it first ends it. */
  late?: true;
}

export interface StreamState {
  contract: Contract;
  /** The highest version applied or covered; null before the first. */
  version: string | null;
  /** What settled `version`. */
  by: 'event' | 'answer' | null;
  /** The fact settled last: at `version` where there are versions. */
  fact: string | null;
  /** The highest version that a settled answer covered. */
  answered: string | null;
  /** Type and fact of the stream's last step. */
  step: { type: string; fact: string } | null;
  word: LastWord | null;
  /** Ranges below `version` that were passed over, inclusive. */
  missing: [string, string][];
  /** Since when numbers are missing, epoch ms; null: none are. */
  missingSince: number | null;
  held: HeldEvent[];
  /** The gap's timer has run out. */
  gapExpired: boolean;
  ask: OpenAsk | null;
  /** How many asks this stream has had: numbers them. */
  asks: number;
  /**
   * The newest hint by claimed time: every type that shares it, or that names no time. `facts` likewise, as long as
   * they are few; absent: they are not known.
   */
  newest: { types: string[]; claimedAt: string | null; facts?: string[] } | null;
  /** An unversioned answer that must stand unchanged until it is believed. */
  candidate: { type: string | null; fact: string; since: number } | null;
  answer: HeldAnswer | null;
  /** Facts settled before, for streams without versions and without an API. */
  seen: string[];
  /** New events in a row at or below the version with later claimed times (`version reset?`). */
  resets: number;
}

export interface DeadlineState {
  status: string;
  type: string;
  at: number;
  unasked: 'review' | 'act';
  /** `waiting` for the instant; `asking` since it passed; `review`: could not be asked. */
  phase: 'waiting' | 'asking' | 'review';
  /** What is still to be answered before it acts: stream keys, and sources to be searched. */
  pending: string[];
}

export type AttentionKind = 'gap' | 'review' | 'effect' | 'reconcile' | 'conflict';
export interface Attention {
  kind: AttentionKind;
  stream: string | null;
  since: number;
  reason: string;
}

export interface OrderState {
  v: typeof STATE_FORMAT;
  key: OrderKey;
  /** The version of the machine that decides; an order takes up a newer one and journals it. */
  machineVersion: number;
  status: string;
  /** The payment that last moved the order. */
  bearer: string | null;
  /** The stream whose news last moved the status; that of a deadline is inorder's own. */
  movedBy: string | null;
  streams: Record<string, StreamState>;
  sources: Record<string, SourcePolicy>;
  deadline: DeadlineState | null;
  /** Effects that need a person, by key. */
  troubles: Record<string, { name: string; reason: string; since: number }>;
  /** Searches for the order's objects that are open, by source. */
  finds: Record<string, OpenAsk>;
  /** It is older than inorder: the instant before which nothing is done about it any more. */
  adopted?: string;
  /** Objects and payments named here that belong to another order, by `<source>/<ref>`. Absent: none is known. */
  contested?: Record<string, string>;
  /** Attention that no other part of the state shows; goes by a person or an answer. */
  notices: Attention[];
  attention: Attention[];
}

export type JournalKind =
  | 'step'
  | 'inferred'
  | 'rejudged'
  | 'stayed'
  | 'held'
  | 'review'
  | 'alert'
  | 'confirmed'
  | 'deadline'
  | 'asked'
  | 'resolved'
  | 'effect'
  | 'linked'
  | 'adopted'
  | 'machine'
  | 'failed';

export interface JournalEntry {
  kind: JournalKind;
  stream: string | null;
  type: string | null;
  version: string | null;
  from: string;
  to: string;
  reason: string | null;
  cause: EventRef | null;
}

export interface EventOutcome {
  ref: EventRef;
  outcome: Outcome;
  reason: string | null;
  from: string;
  to: string;
}

/** An effect the decision asks for. `once` is the last part of its key; equal keys are one effect. */
export interface EffectRequest {
  name: string;
  once: string;
  status: string;
  previous: string;
  cause: EffectCause;
  facts: Facts;
  mode: 'run' | 'record';
  /** When its cause happened, canonical; absent: nothing says so. A restored store may have lost that it was done. */
  causedAt?: string;
}
export interface EffectCause {
  source: string;
  event: string | null;
  type: string;
  object: string;
  version: string | null;
  claimedAt: string | null;
}

export type EffectAction = 'retry' | 'confirm' | 'skip';
/**
 * What a person orders about rows that the core does not see. It is carried out in the transaction that stores the
 * decision, which is not stored when it is refused there.
 */
export type PersonsOrder =
  | {
      kind: 'effect';
      key: string;
      action: EffectAction;
      /** The effect's state that the person saw; null: whatever it is. */
      seen: string | null;
      /** `actor: reason` */
      by: string;
    }
  | { kind: 'link'; event: EventRef };

/** What every entry into the core returns; the input state is never changed. */
export interface Decision {
  state: OrderState;
  outcomes: EventOutcome[];
  journal: JournalEntry[];
  effects: EffectRequest[];
  person?: PersonsOrder;
}
