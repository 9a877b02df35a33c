/** Whether the tables are those of this version. */
import { InorderError } from '../errors.ts';
import { migrate, selectForeignMigrations } from '../store/migrate.ts';
import { fail, ok, warn } from './check.ts';
import type { Check } from './check.ts';

export const migrations: Check = {
  name: 'migrations',
  needs: ['environment', 'database'],
  async look({ store }) {
    let missing;
    try {
      ({ applied: missing } = await migrate(store, { dryRun: true }));
    } catch (error) {
      const { code, message } = InorderError.from(error);
      if (code !== 'migration_failed') throw error;
      return [fail(message, 'use a database of its own for inorder, or the version that made these tables')];
    }
    if (missing.length > 0) {
      const list = missing.length > 3 ? `${missing.slice(0, 3).join(', ')}, …` : missing.join(', ');
      return [fail(`${missing.length} not applied: ${list}`, 'run `inorder migrate`')];
    }
    const foreign = await selectForeignMigrations(store);
    return foreign.length > 0
      ? [warn(`the tables are of a newer version: ${foreign.join(', ')}`, 'use that version here too')]
      : [ok('the tables are those of this version')];
  },
};
