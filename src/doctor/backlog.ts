/** Whether stored events are taken: the age of the oldest that no workflow has. */
import { untakenLimit } from '../api/health.ts';
import { formatDuration } from '../ordering/format-duration.ts';
import { measureBacklog } from '../store/event-claims.ts';
import { fail, ok } from './check.ts';
import type { Check } from './check.ts';

export const backlog: Check = {
  name: 'backlog',
  needs: ['environment', 'configuration', 'tables'],
  async look({ store, config }) {
    const { count, oldestAgeMs } = await measureBacklog(store);
    if (count === 0 || oldestAgeMs === null) return [ok('every stored event was taken')];
    const seen = `${count} not taken yet, the oldest for ${formatDuration(Math.round(oldestAgeMs / 1_000) * 1_000)}`;
    return oldestAgeMs > untakenLimit(config.redeliverAfterMs)
      ? [fail(seen, 'see that workers run and reach Temporal; then they are sent again by themselves')]
      : [ok(seen)];
  },
};
