/**
 * The table `machines`: every version of a machine that decisions were made by. A version never changes once it was
 * entered: the same version with another digest stops the start, unless the caller works on throw-away data.
 */
import { InorderError } from '../errors.ts';
import type { Machine } from '../ordering/machine.ts';
import { isDuplicateKey } from './sql-error.ts';
import { NOW } from './store.ts';
import type { Queryable } from './store.ts';

export interface EnteredMachine {
  machine: Machine;
  digest: string;
}

/** `replace` is for `dev` and `demo`. */
export async function enterMachine(
  store: Queryable,
  { machine, digest }: EnteredMachine,
  { replace = false }: { replace?: boolean } = {},
): Promise<'entered' | 'known' | 'replaced'> {
  const known = await findEnteredDigest(store, machine);
  if (known === digest) return 'known';
  if (known !== null && !replace) {
    throw new InorderError(
      'machine_changed',
      `The machine "${machine.name}" version ${machine.version} was entered with other contents; ` +
        'a changed table needs a new version.',
    );
  }
  await refuseDroppedStatuses(store, machine);
  if (known !== null) {
    await store.write(
      'UPDATE machines SET digest = ?, data = ?, entered_at = ? WHERE name = ? AND version = ?',
      [digest, JSON.stringify(machine), NOW, machine.name, machine.version],
    );
    return 'replaced';
  }
  try {
    await store.write('INSERT INTO machines (name, version, digest, data, entered_at) VALUES (?)', [
      [machine.name, machine.version, digest, JSON.stringify(machine), NOW],
    ]);
    return 'entered';
  } catch (error) {
    // Another process entered it between our look and our write: look again.
    if (isDuplicateKey(error)) return enterMachine(store, { machine, digest }, { replace });
    throw error;
  }
}

/** Of this very version; null: it was never entered. */
export async function findEnteredDigest(db: Queryable, { name, version }: Machine): Promise<string | null> {
  const [row] = await db.query<{ digest: string }>(
    'SELECT digest FROM machines WHERE name = ? AND version = ?',
    [name, version],
  );
  return row?.digest ?? null;
}

/** Orders in a status that this version does not have would be stuck for ever. */
async function refuseDroppedStatuses(db: Queryable, machine: Machine): Promise<void> {
  const rows = await db.query<{ status: string; total: string }>(
    'SELECT status, COUNT(*) AS total FROM orders WHERE machine = ? GROUP BY status',
    [machine.name],
  );
  const lost = rows.filter(
    ({ status }) => !Object.hasOwn(machine.statuses, status) && !Object.hasOwn(machine.renamed, status),
  );
  if (lost.length === 0) return;
  const list = lost.map(({ status, total }) => `"${status}" (${total})`).join(', ');
  throw new InorderError(
    'machine_changed',
    `The machine "${machine.name}" version ${machine.version} has no status ${list}, in which orders stand; ` +
      "keep it, or say what it is called now: renamed: { old: 'new' }.",
  );
}

/** The newest version, or the named one. */
export async function selectMachine(db: Queryable, name: string, version?: number): Promise<Machine | null> {
  const [row] = await db.query<{ data: Buffer }>(
    version === undefined
      ? 'SELECT data FROM machines WHERE name = ? ORDER BY version DESC LIMIT 1'
      : 'SELECT data FROM machines WHERE name = ? AND version = ?',
    version === undefined ? [name] : [name, version],
  );
  return row ? (JSON.parse(row.data.toString('utf8')) as Machine) : null;
}

/** 0 when the machine was never entered. */
export async function selectNewestVersion(db: Queryable, name: string): Promise<number> {
  const [row] = await db.query<{ newest: number | null }>(
    'SELECT MAX(version) AS newest FROM machines WHERE name = ?',
    [name],
  );
  return row?.newest ?? 0;
}
