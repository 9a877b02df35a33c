/** Effects that came to no good end, and those on the way there: an attempt may follow for hours before one is given up. */
import { countEffects, selectRetriedEffects } from '../store/overview.ts';
import { ok, warn } from './check.ts';
import type { Check, Finding } from './check.ts';

export const effects: Check = {
  name: 'effects',
  needs: ['environment', 'tables'],
  async look({ store }) {
    const findings: Finding[] = [];
    const { failed = 0, uncertain = 0 } = await countEffects(store);
    const retried = await selectRetriedEffects(store);
    if (failed + uncertain > 0)
      findings.push(
        warn(
          `${failed} failed, ${uncertain} uncertain`,
          '`inorder effects list --state failed,uncertain` names them; retry, confirm or skip settles each',
        ),
      );
    if (retried.total > 0)
      findings.push(
        warn(
          `${retried.total} ${retried.total === 1 ? 'is' : 'are'} tried again, the last because: ${retried.latest ?? 'unknown'}`,
          '`inorder effects list --state pending,running` says why and `inorder effects show` when; they go on by themselves',
        ),
      );
    return findings.length > 0 ? findings : [ok('none failed, none uncertain, none tried again')];
  },
};
