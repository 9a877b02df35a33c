/** Whether all columns compare bytes: under a collation two ids that differ could be one (R12). */
import { ownTables } from '../store/migrate.ts';
import { selectCollatedColumns } from '../store/settings.ts';
import { fail, ok } from './check.ts';
import type { Check } from './check.ts';

export const columns: Check = {
  name: 'columns',
  needs: ['environment', 'database', 'tables'],
  async look({ store }) {
    const collated = await selectCollatedColumns(store, await ownTables());
    if (collated.length === 0) return [ok('every column compares bytes')];
    const list = collated.slice(0, 5).join(', ');
    return [
      fail(
        `${list}${collated.length > 5 ? ', …' : ''} compare by a collation: ids that differ can count as one`,
        'somebody has altered the tables: give these columns their binary types again (src/store/migrations has them)',
      ),
    ];
  },
};
