/** The table `journal`: what was decided, in order. Rows are added and never changed. */
import type { EventRef, JournalEntry, JournalKind, OrderKey } from '../ordering/state.ts';
import { clip } from './clip.ts';
import { NOW } from './store.ts';
import type { Queryable } from './store.ts';

export interface JournalScope {
  key: OrderKey;
  revision: number;
  machineVersion: number | null;
  worker: string;
  runId: string;
}

export async function insertJournal(
  tx: Queryable,
  entries: readonly JournalEntry[],
  { key, revision, machineVersion, worker, runId }: JournalScope,
): Promise<void> {
  if (entries.length === 0) return;
  await tx.write(
    `INSERT INTO journal (machine, environment, order_id, revision, recorded_at, kind, stream, type, version,
       status_from, status_to, reason, cause_seq, cause_source, cause_event, machine_version, worker, run_id)
     VALUES ?`,
    [
      entries.map((entry) => [
        key.machine,
        key.environment,
        key.id,
        revision,
        NOW,
        entry.kind,
        clip(entry.stream, 320),
        clip(entry.type, 255),
        clip(entry.version, 255),
        entry.from,
        entry.to,
        clip(entry.reason, 1_000),
        entry.cause === null || entry.cause.seq === '' ? null : BigInt(entry.cause.seq),
        entry.cause?.source ?? null,
        entry.cause?.event ?? null,
        machineVersion,
        clip(worker, 128),
        runId,
      ]),
    ],
  );
}

export interface RecordedEntry extends JournalEntry {
  revision: number;
  recordedAt: string;
  machineVersion: number | null;
  worker: string;
}

export async function selectJournal(
  db: Queryable,
  key: OrderKey,
  { limit }: { limit: number },
): Promise<RecordedEntry[]> {
  const rows = await db.query<{
    revision: string;
    recorded_at: string;
    kind: JournalKind;
    stream: string | null;
    type: string | null;
    version: string | null;
    status_from: string;
    status_to: string;
    reason: string | null;
    cause_seq: string | null;
    cause_source: string | null;
    cause_event: string | null;
    machine_version: number | null;
    worker: string;
  }>(
    `SELECT revision, recorded_at, kind, stream, type, version, status_from, status_to, reason,
            cause_seq, cause_source, cause_event, machine_version, worker
       FROM journal WHERE order_id = ? AND machine = ? AND environment = ? ORDER BY id LIMIT ?`,
    [key.id, key.machine, key.environment, limit],
  );
  return rows.map((row) => ({
    revision: Number(row.revision),
    recordedAt: row.recorded_at,
    kind: row.kind,
    stream: row.stream,
    type: row.type,
    version: row.version,
    from: row.status_from,
    to: row.status_to,
    reason: row.reason,
    cause: causeOf(row),
    machineVersion: row.machine_version,
    worker: row.worker,
  }));
}

function causeOf(row: {
  cause_seq: string | null;
  cause_source: string | null;
  cause_event: string | null;
}): EventRef | null {
  if (row.cause_source === null || row.cause_event === null) return null;
  return { seq: row.cause_seq ?? '', source: row.cause_source, event: row.cause_event };
}
