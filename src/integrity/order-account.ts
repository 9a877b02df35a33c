/**
 * One order's account while its rows are read: what the journal says happened is folded step by step, and what
 * state, events and effects say is held against it. Rows come in pages; only sums are kept between them. Pure.
 *
 * Known limits: a decision that only asked or only settled events writes no entry, so a revision may have none; what
 * an answer said is not in the journal, so neither the payment it named nor what its effects are counted by can be
 * folded, and is not compared.
 */
import { effectKey } from '../effects/key.ts';
import { attentionOf } from '../ordering/attention.ts';
import type { Machine } from '../ordering/machine.ts';
import { readState } from '../ordering/read-state.ts';
import type { Facts, HeldEvent, OrderState } from '../ordering/state.ts';
import { dueAt, isAsking } from '../ordering/timers.ts';
import { BEARS_NOTHING } from '../ordering/transition.ts';
import { INORDER } from '../ordering/turn.ts';
import { sourceOf } from '../ordering/fresh-state.ts';
import type { EntryToCompare, OrderToCompare } from '../store/integrity-orders.ts';
import { BACKUP, nameOfOrder } from './finding.ts';
import type { FindingAbout, Tell } from './finding.ts';

/** An entered version of a machine; undefined: there is none. */
export type MachineAt = (name: string, version: number) => Machine | undefined;

/** Entries by which the order entered a status, its own one again included. */
const ENTERS: ReadonlySet<string> = new Set(['step', 'inferred', 'rejudged', 'resolved', 'deadline']);
/** Of these an entry that names its own status is no step. */
const MAY_STAND: ReadonlySet<string> = new Set(['resolved', 'deadline']);

type Bearer = { known: true; payment: string | null } | { known: false };

export class OrderAccount {
  readonly row: OrderToCompare;
  /** null: it cannot be read. */
  readonly state: OrderState | null;
  /** Held events that no row was seen of yet, by number. */
  readonly held = new Map<string, HeldEvent & { stream: string }>();
  /** Keys that the journal's steps have asked for and no row was seen of yet. */
  readonly wished = new Map<string, { revision: number; name: string }>();
  /** Trouble of the state that no row was seen of yet. */
  readonly troubles: Set<string>;
  private readonly machineAt: MachineAt;
  private readonly tell: Tell;
  private status: string | null = null;
  private revision = 0;
  private bearer: Bearer = { known: true, payment: null };
  /** Steps, as an applied event has to have one. */
  private readonly steps = new Set<string>();
  private readonly rebased = new Set<string>();

  constructor(row: OrderToCompare, machineAt: MachineAt, tell: Tell) {
    this.row = row;
    this.machineAt = machineAt;
    this.tell = tell;
    this.state = this.readState();
    this.troubles = new Set(Object.keys(this.state?.troubles ?? {}));
    for (const [stream, { held }] of Object.entries(this.state?.streams ?? {}))
      for (const event of held) this.held.set(event.seq, { ...event, stream });
    if (this.state !== null) this.compareColumns(this.state);
  }

  say(about: FindingAbout, seen: string, fix = BACKUP, of = nameOfOrder(this.row.key)): void {
    this.tell({ about, of, seen, fix });
  }

  machine(version: number | null): Machine | undefined {
    return version === null ? undefined : this.machineAt(this.row.key.machine, version);
  }

  private readState(): OrderState | null {
    try {
      return readState(JSON.parse(this.row.state.toString('utf8')));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.say('order', `its state cannot be read: ${why}`);
      return null;
    }
  }

  // ---- the row and its state ----

  private compareColumns(state: OrderState): void {
    const { row } = this;
    const { machine, environment, id } = state.key;
    if (machine !== row.key.machine || environment !== row.key.environment || id !== row.key.id)
      this.say('order', `its state is that of ${nameOfOrder(state.key)}`);
    if (state.status !== row.status)
      this.say('order', `it is listed as ${row.status}, and its state says ${state.status}`);
    if ((state.bearer ?? '').slice(0, 200) !== (row.bearer ?? '').slice(0, 200))
      this.say('order', 'it is listed with another payment than its state says');
    const machineInForce = this.machine(row.machineVersion);
    if (machineInForce === undefined)
      this.say(
        'machine',
        `it was decided by version ${row.machineVersion ?? '(none)'} of ${machine}, which was never entered`,
      );
    else if (machineInForce.statuses[state.status] === undefined)
      this.say('order', `its machine has no status ${state.status}`);
    this.compareAttention(state);
    this.compareDue(state);
  }

  private compareAttention(state: OrderState): void {
    const { row } = this;
    const stored = JSON.stringify(state.attention);
    const kinds = [...new Set(state.attention.map(({ kind }) => kind))].sort();
    const listed = kinds.length === 0 ? '' : `,${kinds.join(',')},`;
    const since = state.attention.length === 0 ? null : Math.min(...state.attention.map((one) => one.since));
    if (JSON.stringify(attentionOf(state)) !== stored)
      this.say('order', 'its attention is not what follows from its state', AGAIN);
    if (row.attention.toString('utf8') !== stored || row.attentionKinds !== listed)
      this.say('order', `it is listed with other attention than its state has (${listed || 'none'})`, AGAIN);
    else if (row.attentionSinceMs !== since)
      this.say('order', 'its attention is listed with another beginning than its state has', AGAIN);
  }

  private compareDue(state: OrderState): void {
    const { dueAtMs, isWoken } = this.row;
    const due = dueAt(state);
    const agrees = isAsking(state)
      ? dueAtMs !== null && (due === null || dueAtMs <= Math.floor(due))
      : dueAtMs === (due === null ? null : Math.floor(due));
    if (!agrees) this.say('order', 'it is due at another instant than follows from its state', AGAIN);
    if (dueAtMs !== null && !isWoken)
      this.say('order', 'it is due, and nothing would wake it if its timer were lost', AGAIN);
  }

  // ---- the journal ----

  /** The next entry, in the order of writing. */
  fold(entry: EntryToCompare): void {
    const { row } = this;
    const place = `entry ${entry.id} (${entry.kind}, revision ${entry.revision})`;
    const machine = this.machine(entry.machineVersion);
    if (machine === undefined && entry.machineVersion !== row.machineVersion)
      this.say(
        'machine',
        `${place} was decided by version ${entry.machineVersion ?? '(none)'}, which was never entered`,
      );
    if (entry.revision < 1 || entry.revision > row.revision)
      this.say('journal', `${place} is beyond the order's revision ${row.revision}`);
    if (entry.revision < this.revision)
      this.say('journal', `${place} comes after an entry of revision ${this.revision}`);
    const expected = this.status ?? machine?.initial ?? entry.from;
    if (entry.from !== expected)
      this.say('journal', `${place} begins at ${entry.from}, and the order stood at ${expected}`);
    this.status = entry.to;
    this.revision = Math.max(this.revision, entry.revision);
    this.compareCause(entry, place);
    if (entry.kind === 'resolved' && entry.stream !== null) this.rebased.add(entry.stream);
    if (!ENTERS.has(entry.kind)) return;
    if (MAY_STAND.has(entry.kind) && entry.from === entry.to) {
      // Whether it entered its own status again is not said.
      if (entry.kind === 'resolved') this.bearer = { known: false };
      this.noteStep(entry);
      return;
    }
    this.noteStep(entry);
    this.foldBearer(entry);
    this.foldWishes(entry, machine);
  }

  private compareCause({ kind, cause, revision }: EntryToCompare, place: string): void {
    if (cause === null) return;
    const { stored } = cause;
    const name = `${cause.source}/${cause.event}`;
    if (stored === null || !stored.isSame)
      return this.say('journal', `${place} names event ${name} (${cause.seq}), which is not there`);
    if (!stored.isOfOrder)
      return this.say('journal', `${place} names event ${name}, which is another order's`);
    const outcome = kind === 'step' ? 'applied' : kind === 'failed' ? 'failed' : null;
    if (outcome !== null && (stored.outcome !== outcome || stored.revision !== revision))
      this.say(
        'event',
        `${place} settled it as ${outcome}, and it is ${stored.outcome ?? 'not taken'} (revision ${stored.revision ?? '-'})`,
        BACKUP,
        name,
      );
  }

  private foldBearer({ kind, stream, type, cause }: EntryToCompare): void {
    if (stream !== null && sourceOf(stream) === INORDER) return;
    const payment = cause?.stored?.payment;
    if (payment == null) {
      // An event that names none changes nothing; what an answer or a word of one named is not in the journal.
      if (cause === null || kind !== 'step') this.bearer = { known: false };
      return;
    }
    this.bearer = { known: true, payment: type !== null && BEARS_NOTHING.has(type) ? null : payment };
  }

  /** What entering the status asks for, as far as the journal says what it is counted by. */
  private foldWishes(entry: EntryToCompare, machine: Machine | undefined): void {
    for (const name of machine?.statuses[entry.to]?.effects ?? []) {
      const once = machine?.effects[name]?.once;
      const counted = once === 'order' ? 'order' : once === undefined ? null : countedBy(entry, once);
      if (counted !== null)
        this.wished.set(effectKey(this.row.key, name, counted), { revision: entry.revision, name });
    }
  }

  private noteStep({ revision, stream, from, to }: EntryToCompare): void {
    this.steps.add(`${revision} ${stream ?? ''} ${from} ${to}`);
  }

  hasStep(revision: number, stream: string, from: string, to: string): boolean {
    return this.steps.has(`${revision} ${stream} ${from} ${to}`);
  }

  /** A person has let the stream begin anew, or applied something out of its turn. */
  wasRebased(stream: string): boolean {
    return this.rebased.has(stream);
  }

  /** After the last entry. */
  endOfJournal(): void {
    const { row, state } = this;
    const ends = this.status ?? this.machine(row.machineVersion)?.initial ?? row.status;
    if (ends !== row.status)
      this.say('journal', `its entries end in ${ends}, and the order stands at ${row.status}`);
    if (state !== null && this.bearer.known && this.bearer.payment !== state.bearer && this.status !== null)
      this.say(
        'journal',
        `by its entries payment ${this.bearer.payment ?? '(none)'} carries the order, and its state says ${state.bearer ?? '(none)'}`,
      );
  }

  /** After the last event and the last effect. */
  end(): void {
    for (const [, { stream, source, event }] of this.held)
      this.say('order', `its state holds event ${source}/${event} of ${stream}, which is not stored as held`);
    for (const [key, { revision, name }] of this.wished)
      this.say(
        'effect',
        `revision ${revision} asked for ${name}, and there is no such effect`,
        'ask its receiver whether it was done; a lost row comes back only from a backup',
        key,
      );
    for (const key of this.troubles)
      this.say(
        'effect',
        'its order says that it needs a person, and there is no such effect',
        'ask its receiver whether it was done',
        key,
      );
  }
}

const AGAIN =
  'the next decision about the order writes it anew: `inorder orders reconcile ORDER --reason …`; if it stays, report it';

function countedBy(entry: EntryToCompare, once: 'event' | `facts.${string}`): string | null {
  const stored = entry.cause?.stored;
  if (stored == null || entry.kind === 'rejudged') return null;
  if (once === 'event') return `${entry.stream}|${stored.fact}`;
  return (JSON.parse(stored.facts.toString('utf8')) as Facts)[once.slice('facts.'.length)] ?? null;
}
