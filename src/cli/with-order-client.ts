import { WorkflowClient } from '@temporalio/client';
import { loadEnvironment } from '../config/environment.ts';
import { openStore } from '../store/store.ts';
import type { Store } from '../store/store.ts';
import { connectLazily } from '../temporal/connection.ts';
import type { OrderClient } from '../temporal/update-order.ts';

/** Runs a command over the database and Temporal, and lets go of both however the command ends. */
export async function withOrderClient<T>(run: (deps: OrderClient & { db: Store }) => Promise<T>): Promise<T> {
  const environment = loadEnvironment(process.env);
  const db = openStore(environment.mysqlUrl);
  const connection = connectLazily(environment);
  const client = new WorkflowClient({ connection, namespace: environment.temporalNamespace });
  try {
    return await run({ db, client, taskQueue: environment.taskQueue });
  } finally {
    await Promise.allSettled([db.close(), connection.close()]);
  }
}
