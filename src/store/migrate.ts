/**
 * Brings the database to this version's tables: numbered files in `migrations/`, each one change and re-runnable,
 * because the server commits each change of a table by itself and a crash between the change and its mark would
 * run it again. A file that was applied is never edited; its digest is kept and compared.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { InorderError } from '../errors.ts';
import type { Queryable, Store } from './store.ts';
import { reported } from './sql-error.ts';

const FOLDER = new URL('./migrations/', import.meta.url);
const LOCK_WAIT_SECONDS = 60;

interface Migration {
  name: string;
  sql: string;
  digest: Buffer;
}

export interface MigrateOptions {
  dryRun?: boolean;
  /** Where the files are; other than ours in tests only. */
  folder?: URL;
}

export async function migrate(
  store: Store,
  { dryRun = false, folder = FOLDER }: MigrateOptions = {},
): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(folder);
  return store.session(async (session) => {
    const lock = await lockName(session);
    await acquire(session, lock);
    try {
      const known = await readApplied(session, dryRun);
      refuseEdited(migrations, known);
      const open = migrations.filter(({ name }) => !known.has(name));
      if (!dryRun) for (const migration of open) await apply(session, migration);
      return { applied: open.map(({ name }) => name) };
    } finally {
      await session.query('SELECT RELEASE_LOCK(?)', [lock]);
    }
  });
}

/** What was applied here and this version does not know: a newer one has been at work. */
export async function selectForeignMigrations(store: Queryable): Promise<string[]> {
  const own = new Set((await readMigrations(FOLDER)).map(({ name }) => name));
  const applied = await readApplied(store, true);
  return [...applied.keys()].filter((name) => !own.has(name)).sort();
}

/** All tables that the migrations make. */
export async function ownTables(): Promise<string[]> {
  const migrations = await readMigrations(FOLDER);
  return migrations.flatMap(({ sql }) =>
    [...sql.matchAll(/CREATE TABLE IF NOT EXISTS (\w+)/g)].map(([, name = '']) => name),
  );
}

async function readMigrations(folder: URL): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      // A checkout may have changed the line ends; that is no edit.
      const sql = (await readFile(new URL(name, folder), 'utf8')).replaceAll('\r\n', '\n').trim();
      return { name: name.replace(/\.sql$/, ''), sql, digest: createHash('sha256').update(sql).digest() };
    }),
  );
}

/** Named locks are the server's, not the database's, and their names are short. */
async function lockName(session: Queryable): Promise<string> {
  const [row] = await session.query<{ name: string | Buffer | null }>('SELECT DATABASE() AS name');
  if (!row?.name) {
    throw new InorderError(
      'migration_failed',
      'MYSQL_URL names no database: add its name after the last slash.',
    );
  }
  return `inorder.migrate.${createHash('sha256').update(row.name).digest('hex').slice(0, 32)}`;
}

async function acquire(session: Queryable, lock: string): Promise<void> {
  const [row] = await session.query<{ got: string | number | null }>('SELECT GET_LOCK(?, ?) AS got', [
    lock,
    LOCK_WAIT_SECONDS,
  ]);
  if (Number(row?.got) === 1) return;
  throw new InorderError(
    'migration_failed',
    `Another process has been migrating this database for ${LOCK_WAIT_SECONDS} seconds; try again when it has ended.`,
  );
}

async function readApplied(session: Queryable, dryRun: boolean): Promise<Map<string, Buffer>> {
  if (dryRun) {
    const exists = await session.query("SHOW TABLES LIKE 'migrations'");
    if (exists.length === 0) return new Map();
  } else {
    await session.write(
      `CREATE TABLE IF NOT EXISTS migrations (
         name VARBINARY(128) NOT NULL PRIMARY KEY,
         digest BINARY(32) NOT NULL,
         applied_at DATETIME(6) NOT NULL
       ) ENGINE = InnoDB`,
    );
  }
  const rows = await session.query<{ name: string; digest: Buffer }>('SELECT name, digest FROM migrations');
  return new Map(rows.map(({ name, digest }) => [name, digest]));
}

function refuseEdited(migrations: Migration[], known: Map<string, Buffer>): void {
  for (const { name, digest } of migrations) {
    const applied = known.get(name);
    if (applied && !applied.equals(digest)) {
      throw new InorderError(
        'migration_failed',
        `The migration ${name} was applied to this database with other contents than this version's; ` +
          'it was edited after its release, or the database belongs to another program.',
      );
    }
  }
}

async function apply(session: Queryable, { name, sql, digest }: Migration): Promise<void> {
  try {
    await session.write(sql);
    await session.write('INSERT INTO migrations (name, digest, applied_at) VALUES (?, ?, UTC_TIMESTAMP(6))', [
      name,
      digest,
    ]);
  } catch (error) {
    const cause = reported(error);
    if (cause instanceof InorderError) throw cause;
    throw new InorderError(
      'migration_failed',
      `The migration ${name} failed: ${cause instanceof Error ? cause.message : String(cause)}. ` +
        'Mend the cause and run it again; what was applied before stays.',
      { cause },
    );
  }
}
