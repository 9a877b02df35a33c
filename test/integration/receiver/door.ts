/** The durable door over a store of the test's own, and doors of other receivers over the same one. */
import { GroupCommit } from '../../../src/receiver/group-commit.ts';
import type { GroupCommitOptions } from '../../../src/receiver/group-commit.ts';
import { openStore } from '../../../src/store/store.ts';
import type { Store, StoreOptions } from '../../../src/store/store.ts';
import { migratedStore } from '../store/migrated-store.ts';

export async function door(options: GroupCommitOptions = {}) {
  const { store, world } = await migratedStore();
  const groupCommit = new GroupCommit(store, options);
  world.defer(() => groupCommit.stop());
  /** Another receiver process, as far as the database can tell. */
  const otherDoor = (): GroupCommit => {
    const other = new GroupCommit(otherStore());
    world.defer(() => other.stop());
    return other;
  };
  const otherStore = (storeOptions: StoreOptions = {}): Store => {
    const other = openStore(world.mysqlUrl, storeOptions);
    world.defer(() => other.close());
    return other;
  };
  return { store, world, groupCommit, otherDoor, otherStore };
}

export const count = async (store: Store, table: string): Promise<number> => {
  const [row] = await store.query<{ total: string }>(`SELECT COUNT(*) AS total FROM ${table}`);
  return Number(row?.total);
};
