/**
 * The one place where a decision becomes fact: order, outcomes, journal, effects and the next due instant in one
 * transaction (R30), or nothing.
 *
 * 1. The order's row is locked first, so an order is decided by one writer at a time (R28).
 * 2. Nothing is written unless the stored revision is the one decided on, every event of the batch is there and not
 *    settled, and none of its versioned news is settled under another id (R31).
 * 3. Whatever happens, the result is what is stored. The same decision again, after its result was lost, finds
 *    itself and is `applied`.
 * 4. What a person ordered about other rows is carried out in the same transaction; where a row refuses it, nothing
 *    of the decision is written (R54).
 * 5. Nothing is written of a decision that did not know of another order's object or payment in it (R11).
 * 6. Running this again after a commit of unknown fate is safe, because of 3.
 */
import { createHash } from 'node:crypto';
import { freshState } from '../src/ordering/fresh-state.ts';
import type { EventRef, OrderState, Outcome } from '../src/ordering/state.ts';
import type { Machine } from '../src/ordering/machine.ts';
import { attentionChanges } from '../src/notify/changes.ts';
import { planOf } from '../src/ordering/plan.ts';
import { isCanary } from '../src/config/canary.ts';
import { workflowIdOf } from '../src/temporal/workflow-id.ts';
import { isNamed, openStop, selectRestores } from '../src/store/restores.ts';
import { insertAttentionChanges } from '../src/store/attention.ts';
import { insertEffects, selectOpenEffects } from '../src/store/effects.ts';
import { lockEvents, selectTwins, writeOutcomes } from '../src/store/events.ts';
import type { LockedEvent, News, OutcomeToWrite } from '../src/store/events.ts';
import { insertJournal } from '../src/store/journal.ts';
import { insertOrder, lockOrder, updateOrder } from '../src/store/orders.ts';
import type { OrderRow } from '../src/store/orders.ts';
import { isDuplicateKey } from '../src/store/sql-error.ts';
import type { Queryable, Store } from '../src/store/store.ts';
import { carryOut } from './carry-out.ts';
import { findContests } from './find-contests.ts';
import { createKnownMachines } from './known-machines.ts';
import type { ApplyInput, ApplyResult } from './order-activities.ts';

export interface ApplyDeps {
  store: Store;
  /** Who applied it, for the timeline. */
  worker: string;
  /** People are told when attention begins or ends. */
  tellsAttention?: boolean;
}

type Apply = (input: ApplyInput) => Promise<ApplyResult>;

export function createApply({ store, worker, tellsAttention = false }: ApplyDeps): Apply {
  const machines = createKnownMachines();
  return async (input) => {
    const decision = digestOf(input);
    for (;;) {
      try {
        return await store.transaction(
          async (tx) => {
            const machine = await machines.at(tx, input.key.machine, input.machineVersion);
            const newestMachine = await machines.newestVersion(tx, input.key.machine);
            return applyOnce(tx, input, { decision, worker, tellsAttention, machine, newestMachine });
          },
          { idempotent: true },
        );
      } catch (error) {
        // Another writer made the order's row between our look and our write. Now it can be locked.
        if (!isDuplicateKey(error)) throw error;
      }
    }
  };
}

interface Decided {
  decision: Buffer;
  worker: string;
  tellsAttention: boolean;
  machine: Machine;
  newestMachine: number;
}

async function applyOnce(tx: Queryable, input: ApplyInput, decided: Decided): Promise<ApplyResult> {
  const stored = await lockOrder(tx, input.key);
  if (stored && isSameDecision(stored, input, decided.decision)) {
    return result(tx, input, decided, { ...found(stored), applied: true });
  }
  const outcomes = lastOutcomes(input);
  const refs = refsOf(input);
  const locked = await lockEvents(tx, input.key, [...refs.keys()]);
  const revision = stored?.revision ?? 0;
  const settled = locked.filter((event) => isSettled(event, outcomes.get(event.seq)?.outcome));
  const twins = await selectTwins(tx, input.key, openNews(input, outcomes));
  const isOutdated = revision !== input.revision || settled.length > 0 || twins.size > 0;
  // Without a row to lock, another writer may have made it while we waited for the events: look again.
  if (!stored && isOutdated && (await lockOrder(tx, input.key))) return applyOnce(tx, input, decided);
  const missing = missingOf(locked, refs);
  // Events that are settled while their order is unknown are a restored store's as well.
  if (revision < input.revision || missing.length > 0 || (!stored && settled.length > 0))
    return result(tx, input, decided, {
      ...found(stored),
      ...(await afterRestore(tx, input, decided, { revision, missing })),
    });
  if (isOutdated) {
    return result(tx, input, decided, {
      ...found(stored),
      settled: settled.map(({ seq }) => refs.get(seq) as EventRef),
      twins: [...twins].map((seq) => refs.get(seq) as EventRef),
    });
  }
  const contests = await findContests(tx, input, { stored: stored?.state ?? null, locked });
  if (Object.keys(contests).length > 0) return result(tx, input, decided, { ...found(stored), contests });
  const { key, state, person } = input;
  if (person !== undefined) {
    const carried = await carryOut(tx, person, { key, status: state.status, machine: decided.machine });
    if (carried.kind !== 'done') {
      const refused = carried.kind === 'refused' ? carried.reason : null;
      return result(tx, input, decided, { ...found(stored), refused });
    }
  }
  const next = revision + 1;
  await write(tx, input, decided, { next, stored, outcomes: [...outcomes.values()] });
  return result(tx, input, decided, {
    applied: true,
    state: input.state,
    revision: next,
    writer: input.runId,
  });
}

async function write(
  tx: Queryable,
  input: ApplyInput,
  { decision, worker, tellsAttention, machine }: Decided,
  { next, stored, outcomes }: { next: number; stored: OrderRow | null; outcomes: OutcomeToWrite[] },
): Promise<void> {
  const { key, runId, state, dueAt } = input;
  const machineVersion = machine.version;
  const order = { key, state, revision: next, runId, decision, machineVersion, dueAtMs: dueAt };
  await (stored === null ? insertOrder(tx, order) : updateOrder(tx, order));
  await writeOutcomes(tx, outcomes, { revision: next, worker, machineVersion });
  await insertJournal(tx, input.journal, { key, revision: next, machineVersion, worker, runId });
  await insertEffects(tx, key, next, input.effects);
  if (!tellsAttention) return;
  const changes = attentionChanges(stored?.state.attention ?? [], state.attention);
  await insertAttentionChanges(tx, key, { status: state.status, revision: next }, changes);
}

/** What a result says beside the open effects, which are always read as they are stored. */
interface Facts {
  applied: boolean;
  state: OrderState;
  revision: number;
  writer: string | null;
  settled?: EventRef[];
  twins?: EventRef[];
  restored?: boolean;
  lost?: EventRef[];
  refused?: string | null;
  contests?: Record<string, string>;
}

async function result(
  tx: Queryable,
  input: ApplyInput,
  { machine, newestMachine }: Decided,
  facts: Omit<Facts, 'state'> & { state: OrderState | null },
): Promise<ApplyResult> {
  // What a restored store lost is told as the caller has it: nothing better is known.
  const state = facts.state ?? (facts.restored === true ? input.state : freshState(machine, input.key));
  const effects = await selectOpenEffects(tx, input.key, machine, state.troubles);
  const plan = planOf(state);
  return { settled: [], twins: [], restored: false, ...facts, state, effects, plan, newestMachine };
}

const found = (stored: OrderRow | null) => ({
  applied: false,
  state: stored?.state ?? null,
  revision: stored?.revision ?? 0,
  writer: stored?.runId ?? null,
});

const isSameDecision = (stored: OrderRow, input: ApplyInput, decision: Buffer): boolean =>
  stored.revision === input.revision + 1 && stored.runId === input.runId && stored.decision.equals(decision);

/** The arguments of a retry are the first attempt's, so their text is the same. */
const digestOf = (input: ApplyInput): Buffer => createHash('sha256').update(JSON.stringify(input)).digest();

/** A batch may hold an event and settle it in one decision: its last outcome counts. */
function lastOutcomes(input: ApplyInput): Map<string, OutcomeToWrite> {
  const last = new Map<string, OutcomeToWrite>();
  for (const { ref, outcome, reason, from, to } of input.outcomes) {
    last.set(ref.seq, { seq: ref.seq, outcome, reason, from, to });
  }
  return last;
}

function refsOf(input: ApplyInput): Map<string, EventRef> {
  const refs = new Map<string, EventRef>();
  for (const { ref } of [...input.outcomes, ...input.news]) refs.set(ref.seq, ref);
  return refs;
}

/** All three parts of a reference must match a row of this order: a restored store may use a number again. */
function missingOf(locked: readonly LockedEvent[], refs: ReadonlyMap<string, EventRef>): EventRef[] {
  const rows = new Map(locked.map((event) => [event.seq, event]));
  return [...refs.values()].filter((ref) => {
    const row = rows.get(ref.seq);
    return row?.isOfOrder !== true || row.source !== ref.source || row.event !== ref.event;
  });
}

/** The store is older than the order: it stands still with all effects, until a person has named what was lost. */
async function afterRestore(
  tx: Queryable,
  { key, revision: known, state, knownAt }: ApplyInput,
  { tellsAttention }: Decided,
  { revision, missing }: { revision: number; missing: EventRef[] },
): Promise<{ restored: true } | { lost: EventRef[] }> {
  const restores = await selectRestores(tx);
  // A reference has no time of its own: what it points at was lost with whatever was lost.
  const at = revision < known ? (knownAt ?? null) : null;
  if (restores.openSinceMs === null && isNamed(restores, at)) return { lost: missing };
  // The canary's rows are taken away under its workflow.
  if (isCanary(key)) return { restored: true };
  const [first] = missing;
  const found =
    first === undefined || revision < known
      ? `${workflowIdOf(key)} was decided up to revision ${known}, and the store has ${revision}`
      : `${workflowIdOf(key)} was told of event ${first.source}/${first.event} (${first.seq}), and the store does not have it`;
  const isBeyond = at !== null && restores.closed.length > 0;
  const reason = isBeyond
    ? `${found}; that was at ${new Date(at).toISOString()}, outside of what was named as lost`
    : found;
  const isNew = await openStop(tx, reason);
  if (isNew && tellsAttention)
    await insertAttentionChanges(tx, key, { status: state.status, revision }, [
      {
        kind: 'effect',
        source: 'inorder',
        hasEnded: false,
        reason: `the store was restored, no effect begins: ${reason}`,
      },
    ]);
  return { restored: true };
}

const AFTER_REVIEW: ReadonlySet<Outcome> = new Set(['applied', 'ignored', 'superseded']);

/** A reviewed event is settled, too, but for what a person or an answer makes of it. */
function isSettled(event: LockedEvent, next: Outcome | undefined): boolean {
  if (!event.settled) return false;
  return !(event.outcome === 'review' && next !== undefined && AFTER_REVIEW.has(next));
}

/** A decision that calls an event stale says already what a twin would make of it. */
function openNews(input: ApplyInput, outcomes: ReadonlyMap<string, OutcomeToWrite>): News[] {
  return input.news.flatMap(({ ref, stream, version, fact }) => {
    const outcome = outcomes.get(ref.seq)?.outcome;
    // Without an outcome nothing was decided about it: it is held already, or too much is.
    const isOpen = version !== null && outcome !== undefined && outcome !== 'stale';
    return isOpen ? [{ seq: ref.seq, stream, version, fact }] : [];
  });
}
