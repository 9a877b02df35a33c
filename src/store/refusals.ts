/**
 * The tables `refusals` and `refusal_samples`: how many deliveries were refused, where and why, and the latest of
 * each kind. Bounded by construction: counters by the hour, samples in a fixed number of slots, never a body.
 */
import { clip } from './clip.ts';
import { toDatetime } from './instant.ts';
import { NOW } from './store.ts';
import type { Queryable, Store } from './store.ts';

export interface RefusalCount {
  source: string;
  reason: string;
  count: number;
  samples: { atMs: number; message: string; headers: Record<string, string> }[];
}

const SAMPLE_SLOTS = 20;

export async function writeRefusals(store: Store, counts: readonly RefusalCount[]): Promise<void> {
  if (counts.length === 0) return;
  await store.transaction(async (tx) => {
    const sorted = [...counts].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
    await addCounts(tx, sorted);
    await writeSamples(tx, sorted);
  });
}

const nameOf = ({ source, reason }: RefusalCount): string => JSON.stringify([source, reason]);

async function addCounts(tx: Queryable, counts: readonly RefusalCount[]): Promise<void> {
  const hour = { toSqlString: () => "DATE_FORMAT(UTC_TIMESTAMP(), '%Y-%m-%d %H:00:00')" };
  await tx.write(
    `INSERT INTO refusals (source, code, hour_at, total, last_at) VALUES ?
     ON DUPLICATE KEY UPDATE total = total + VALUES(total), last_at = VALUES(last_at)`,
    [counts.map(({ source, reason, count }) => [source, reason, hour, count, NOW])],
  );
}

/** A slot is chosen by chance, so that no process needs to know how many the others have written. */
async function writeSamples(tx: Queryable, counts: readonly RefusalCount[]): Promise<void> {
  const rows = counts.flatMap(({ source, reason, samples }) => {
    const start = Math.floor(Math.random() * SAMPLE_SLOTS);
    return samples
      .slice(-SAMPLE_SLOTS)
      .map(({ atMs, message, headers }, index) => [
        source,
        reason,
        (start + index) % SAMPLE_SLOTS,
        toDatetime(atMs),
        clip(message, 500),
        JSON.stringify(headers),
      ]);
  });
  if (rows.length === 0) return;
  await tx.write(
    `INSERT INTO refusal_samples (source, code, slot, refused_at, message, headers) VALUES ?
     ON DUPLICATE KEY UPDATE refused_at = VALUES(refused_at), message = VALUES(message), headers = VALUES(headers)`,
    [rows],
  );
}

export interface RefusalTotal {
  source: string;
  code: string;
  total: number;
  lastAt: string;
}

export async function listRefusals(db: Queryable, { hours }: { hours: number }): Promise<RefusalTotal[]> {
  const rows = await db.query<{ source: string; code: string; total: string; last_at: string }>(
    `SELECT source, code, SUM(total) AS total, MAX(last_at) AS last_at FROM refusals
      WHERE hour_at >= UTC_TIMESTAMP() - INTERVAL ? HOUR GROUP BY source, code ORDER BY source, code`,
    [hours],
  );
  return rows.map((row) => ({
    source: row.source,
    code: row.code,
    total: Number(row.total),
    lastAt: row.last_at,
  }));
}

export interface RefusedDelivery {
  source: string;
  code: string;
  refusedAt: string;
  message: string;
  headers: Record<string, string>;
}

export async function listRefusalSamples(db: Queryable, limit: number): Promise<RefusedDelivery[]> {
  const rows = await db.query<{
    source: string;
    code: string;
    refused_at: string;
    message: string;
    headers: Buffer;
  }>(
    `SELECT source, code, refused_at, message, headers FROM refusal_samples ORDER BY refused_at DESC LIMIT ?`,
    [limit],
  );
  return rows.map((row) => ({
    source: row.source,
    code: row.code,
    refusedAt: row.refused_at,
    message: row.message,
    headers: JSON.parse(row.headers.toString('utf8')) as Record<string, string>,
  }));
}
