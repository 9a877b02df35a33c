/**
 * The durable door: what arrives while a commit is under way goes into the next one, so that one commit answers
 * many requests (R5).
 *
 * 1. `add` resolves only after the commit that holds its events, and rejects otherwise; nothing in between.
 * 2. Bounded: rows and bytes per group, groups at once, rows that wait. What does not fit is refused at once.
 * 3. Copies of one event are never in two groups at once: the later one waits and finds the earlier one's row.
 * 4. Each event has its own fate. If a group fails for one of its rows, or waits for a lock that another process
 *    holds, every row is tried alone, beside the groups, so the others are not held up.
 * 5. A commit whose result is unknown is run again whole; what is then found was stored.
 */
import { randomBytes } from 'node:crypto';
import { InorderError } from '../errors.ts';
import { refuseIfLocked } from '../store/events.ts';
import type { NewEvent } from '../store/events.ts';
import {
  isConnectionLost,
  isDeadlock,
  isDuplicateKey,
  isLockWaitTimeout,
  isUnavailable,
} from '../store/sql-error.ts';
import { refKey, refuseIfLinkLocked } from '../store/links.ts';
import type { Queryable, Store } from '../store/store.ts';
import { storeGroup } from './store-group.ts';
import type { Accepted, Stored } from './store-group.ts';
import { storeNew } from './store-new.ts';

export type { Stored } from './store-group.ts';

export interface GroupCommitOptions {
  maxRows?: number;
  /** Of raw bodies in one group. A larger one goes alone. */
  maxBytes?: number;
  /** Rows that may wait or be under way. */
  maxQueued?: number;
  /** Groups at once. */
  concurrency?: number;
  /** How long a row that waits for another process's lock is tried. */
  patienceMs?: number;
}

export interface GroupCommitStats {
  waiting: number;
  groups: number;
  rows: number;
  /** Rows that were tried alone, because their group failed. */
  alone: number;
}

interface Entry extends Accepted {
  key: string;
  bytes: number;
  giveUpAtMs: number;
  resolve(stored: Stored): void;
  reject(error: unknown): void;
}

const MAX_REMEMBERED_LINKS = 20_000;
/** How often a group meets rows of another process that were not there when it looked. */
const MAX_RACES = 3;
const ALONE_AT_ONCE = 6;
const LOCKED_PAUSE_MS = 100;

export class GroupCommit {
  readonly #store: Store;
  readonly #options: Required<GroupCommitOptions>;
  readonly #said = new LatestLinks();
  /** How many rows of a key are under way. */
  readonly #inFlight = new Map<string, number>();
  readonly #receiptHead = randomBytes(8);
  #receipts = 0n;
  #queue: Entry[] = [];
  readonly #alone: Entry[] = [];
  #groupsAtWork = 0;
  #aloneAtWork = 0;
  #unfinished = 0;
  #isStopping = false;
  #isPumpScheduled = false;
  /** The last group held repeats: looking first is cheaper than failing. */
  #isRepeating = false;
  #whenEmpty: (() => void) | null = null;
  readonly #stats = { groups: 0, rows: 0, alone: 0 };

  constructor(store: Store, options: GroupCommitOptions = {}) {
    this.#store = store;
    this.#options = {
      maxRows: 128,
      maxBytes: 4_000_000,
      maxQueued: 10_000,
      concurrency: 2,
      patienceMs: 8_000,
      ...options,
    };
  }

  get stats(): GroupCommitStats {
    return { waiting: this.#unfinished, ...this.#stats };
  }

  /** The fates in the order of `events`, after the commit. Rejects if one of them could not be stored. */
  async add(events: readonly NewEvent[]): Promise<Stored[]> {
    if (this.#isStopping) throw unavailable('This receiver is stopping.');
    if (this.#unfinished + events.length > this.#options.maxQueued) {
      throw unavailable('Too many deliveries wait to be stored.');
    }
    const fates = events.map((event) => this.#enqueue(event));
    this.#schedulePump();
    const [only] = fates;
    if (only !== undefined && fates.length === 1) return [await only];
    // All of them, so that none is left to reject unheard; the first failure is the delivery's.
    const ends = await Promise.allSettled(fates);
    return ends.map((end) => {
      if (end.status === 'rejected') throw end.reason;
      return end.value;
    });
  }

  /** Stores what was accepted; refuses what comes now. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#unfinished === 0) return;
    await new Promise<void>((resolve) => {
      const before = this.#whenEmpty;
      this.#whenEmpty = () => {
        before?.();
        resolve();
      };
    });
  }

  #enqueue(event: NewEvent): Promise<Stored> {
    this.#unfinished += 1;
    return new Promise((resolve, reject) => {
      this.#queue.push({
        event,
        receipt: this.#nextReceipt(),
        key: JSON.stringify([event.source, event.eventId]),
        bytes: event.body.length,
        giveUpAtMs: performance.now() + this.#options.patienceMs,
        resolve,
        reject,
      });
    });
  }

  /** Eight bytes of this process, eight of a counter. */
  #nextReceipt(): Buffer {
    const receipt = Buffer.alloc(16);
    this.#receiptHead.copy(receipt);
    receipt.writeBigUInt64BE(this.#receipts++, 8);
    return receipt;
  }

  /** At the end of this turn of the event loop, so that what arrived in the same turn goes together. */
  #schedulePump(): void {
    if (this.#isPumpScheduled) return;
    this.#isPumpScheduled = true;
    setImmediate(() => {
      this.#isPumpScheduled = false;
      this.#pump();
    });
  }

  #pump(): void {
    while (this.#groupsAtWork < this.#options.concurrency) {
      const group = this.#takeGroup();
      if (group.length === 0) break;
      this.#groupsAtWork += 1;
      void this.#storeTogether(group).finally(() => {
        this.#groupsAtWork -= 1;
        this.#schedulePump();
      });
    }
    while (this.#aloneAtWork < ALONE_AT_ONCE) {
      const entry = this.#alone.shift();
      if (!entry) break;
      this.#aloneAtWork += 1;
      void this.#storeAlone(entry).finally(() => {
        this.#aloneAtWork -= 1;
        this.#schedulePump();
      });
    }
  }

  /** From the head, as far as the limits go; copies of what is under way stay for a later group. */
  #takeGroup(): Entry[] {
    const { maxRows, maxBytes } = this.#options;
    const group: Entry[] = [];
    const left: Entry[] = [];
    let bytes = 0;
    let index = 0;
    for (; index < this.#queue.length && group.length < maxRows; index += 1) {
      const entry = this.#queue[index] as Entry;
      if (this.#inFlight.has(entry.key)) {
        left.push(entry);
        continue;
      }
      if (group.length > 0 && bytes + entry.bytes > maxBytes) break;
      group.push(entry);
      bytes += entry.bytes;
    }
    if (group.length === 0) return group;
    this.#queue = [...left, ...this.#queue.slice(index)];
    for (const { key } of group) this.#inFlight.set(key, (this.#inFlight.get(key) ?? 0) + 1);
    return group;
  }

  async #storeTogether(group: Entry[]): Promise<void> {
    this.#stats.groups += 1;
    this.#stats.rows += group.length;
    try {
      const fates = (await this.#transactNew(group)) ?? (await this.#transact(group));
      group.forEach((entry, index) => this.#finish(entry, () => entry.resolve(fates[index] as Stored)));
    } catch (error) {
      // One row may end the session of its whole group; alone it cannot harm the others.
      if (isUnavailable(error) && !(group.length > 1 && isSessionLost(error))) {
        for (const entry of group) this.#finish(entry, () => entry.reject(error));
        return;
      }
      this.#stats.alone += group.length;
      this.#alone.push(...group);
    }
  }

  async #storeAlone(entry: Entry): Promise<void> {
    if (performance.now() >= entry.giveUpAtMs) {
      this.#finish(entry, () => entry.reject(unavailable('The store did not take this event in time.')));
      return;
    }
    try {
      const [fate] = await this.#transact([entry], (tx) => refuseIfWaiting(tx, entry.event));
      this.#finish(entry, () => entry.resolve(fate as Stored));
    } catch (error) {
      if (isLockWaitTimeout(error)) this.#tryAgainLater(entry);
      else this.#finish(entry, () => entry.reject(reasonOf(error)));
    }
  }

  #tryAgainLater(entry: Entry): void {
    setTimeout(() => {
      this.#alone.push(entry);
      this.#schedulePump();
    }, LOCKED_PAUSE_MS);
  }

  /** null: look first, `#transact`. */
  async #transactNew(group: readonly Entry[]): Promise<Stored[] | null> {
    if (this.#isRepeating) return null;
    try {
      const stored = await storeNew(this.#store, group, this.#said);
      if (stored === null) return null;
      for (const link of stored.links) this.#said.set(refKey(link), link.order);
      return stored.fates;
    } catch (error) {
      if (isDuplicateKey(error)) this.#isRepeating = true;
      else if (!isDeadlock(error) && !isSessionLost(error)) throw error;
      return null;
    }
  }

  async #transact(
    entries: readonly Entry[],
    before: (tx: Queryable) => Promise<void> = async () => undefined,
  ): Promise<Stored[]> {
    for (let race = 1; ; race += 1) {
      try {
        const { fates, links } = await this.#store.transaction(
          async (tx) => {
            await before(tx);
            return storeGroup(tx, entries, this.#said);
          },
          { idempotent: true },
        );
        for (const link of links) this.#said.set(refKey(link), link.order);
        this.#isRepeating = fates.some(({ kind }) => kind !== 'stored');
        return fates;
      } catch (error) {
        if (!isDuplicateKey(error) || race >= MAX_RACES) throw error;
      }
    }
  }

  #finish(entry: Entry, answer: () => void): void {
    const others = (this.#inFlight.get(entry.key) ?? 1) - 1;
    if (others > 0) this.#inFlight.set(entry.key, others);
    else this.#inFlight.delete(entry.key);
    this.#unfinished -= 1;
    answer();
    if (this.#unfinished === 0) this.#whenEmpty?.();
  }
}

/** The links this process said last; the oldest are forgotten and said again. */
class LatestLinks {
  readonly #orders = new Map<string, string>();

  get(key: string): string | undefined {
    return this.#orders.get(key);
  }

  set(key: string, order: string): void {
    this.#orders.delete(key);
    this.#orders.set(key, order);
    if (this.#orders.size <= MAX_REMEMBERED_LINKS) return;
    const [oldest] = this.#orders.keys();
    if (oldest !== undefined) this.#orders.delete(oldest);
  }
}

const unavailable = (message: string): InorderError => new InorderError('store_unavailable', message);

/**
 * Looks before it leaps: an insert that waits for a lock makes others wait that only come near its key, so a row
 * that is tried alone must not wait.
 */
async function refuseIfWaiting(tx: Queryable, event: NewEvent): Promise<void> {
  await refuseIfLocked(tx, event);
  await refuseIfLinkLocked(tx, event);
}

const isSessionLost = (error: unknown): boolean =>
  isConnectionLost(error instanceof InorderError ? error.cause : error);

function reasonOf(error: unknown): unknown {
  if (isUnavailable(error)) return error;
  return new InorderError('internal', 'The store refused this event.', { cause: error });
}
