import { loadEnvironment } from '../config/environment.ts';
import { openStore } from '../store/store.ts';
import type { Store } from '../store/store.ts';

/** Runs a command over the database that MYSQL_URL names, and lets go of it however the command ends. */
export async function withStore<T>(run: (store: Store) => Promise<T>): Promise<T> {
  const store = openStore(loadEnvironment(process.env).mysqlUrl);
  try {
    return await run(store);
  } finally {
    await store.close();
  }
}
