/** Effects that came to no good end. */
import { countEffects } from '../store/overview.ts';
import { ok, warn } from './check.ts';
import type { Check } from './check.ts';

export const effects: Check = {
  name: 'effects',
  needs: ['environment', 'tables'],
  async look({ store }) {
    const { failed = 0, uncertain = 0 } = await countEffects(store);
    return failed + uncertain === 0
      ? [ok('none failed, none uncertain')]
      : [
          warn(
            `${failed} failed, ${uncertain} uncertain`,
            '`inorder effects list --state failed,uncertain` names them; retry, confirm or skip settles each',
          ),
        ];
  },
};
