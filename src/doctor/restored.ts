/** Whether the store was found to be older than what is known of it: then no effect begins until a person has spoken. */
import { selectRestores } from '../store/restores.ts';
import { fail, ok } from './check.ts';
import type { Check } from './check.ts';

export const restored: Check = {
  name: 'restored',
  needs: ['environment', 'tables'],
  async look({ store }) {
    const { openSinceMs, found } = await selectRestores(store);
    if (openSinceMs === null) return [ok('the store is as new as what is known of it')];
    return [
      fail(
        `the store was restored from a backup, and since ${new Date(openSinceMs).toISOString()} no effect begins: ${found ?? ''}`,
        'say what was lost: `inorder restored --from T1 --to T2`, the time of the backup and the end of the old database; docs/deploy.md tells the rest',
      ),
    ];
  },
};
