/**
 * An order's workflow closes when it is quiet, and Temporal forgets it after the namespace's retention. A repeat
 * that comes later is still known, because MySQL decides; what is gone is the history that a person would look at.
 */
import { formatDuration } from '../ordering/format-duration.ts';
import { describeNamespace } from '../temporal/describe.ts';
import { ok, warn } from './check.ts';
import type { Check } from './check.ts';

export const retention: Check = {
  name: 'retention',
  needs: ['environment', 'configuration', 'temporal'],
  async look({ temporal: connection, environment: { temporalNamespace: namespace }, config }) {
    const { retentionMs } = await describeNamespace(connection, namespace);
    const windows = [...config.sources.values()].map(({ provider }) => provider.retryWindowMs ?? 0);
    const neededMs = Math.max(0, ...windows);
    const kept = `closed orders are remembered for ${formatDuration(retentionMs)}`;
    if (retentionMs >= neededMs) return [ok(kept)];
    const hours = Math.ceil(neededMs / 3_600_000);
    return [
      warn(
        `${kept}, and a provider repeats for ${formatDuration(neededMs)}: their history is gone before it has ended`,
        `temporal operator namespace update --retention ${hours}h ${namespace}`,
      ),
    ];
  },
};
