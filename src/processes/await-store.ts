/** The store as a process needs it before anything else: there, durable as far as can be seen, with this version's tables. */
import { InorderError } from '../errors.ts';
import type { Log } from '../log.ts';
import { migrate } from '../store/migrate.ts';
import { checkSettings } from '../store/settings.ts';
import type { Store } from '../store/store.ts';
import { awaitService } from './await-service.ts';

export async function awaitStore(
  store: Store,
  options: { limitMs: number; log: Log; signal: AbortSignal },
): Promise<void> {
  const { log } = options;
  await awaitService({
    ...options,
    what: 'The database',
    code: 'store_unavailable',
    attempt: async () => {
      for (const problem of (await checkSettings(store)).problems) log.warn({ reason: problem }, 'the store');
      await migrate(store);
    },
    isFinal: (error) => !(error instanceof InorderError && error.code === 'store_unavailable'),
  });
}
