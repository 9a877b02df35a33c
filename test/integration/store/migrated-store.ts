/** A store of the test's own, with all tables. */
import { migrate } from '../../../src/store/migrate.ts';
import { openStore } from '../../../src/store/store.ts';
import type { Store, StoreOptions } from '../../../src/store/store.ts';
import { setup } from '../setup.ts';
import type { World } from '../setup.ts';

export async function migratedStore(options: StoreOptions = {}): Promise<{ store: Store; world: World }> {
  const world = await setup();
  const store = openStore(world.mysqlUrl, options);
  world.defer(() => store.close());
  await migrate(store);
  return { store, world };
}
