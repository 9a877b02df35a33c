import type { SourcePolicy } from '../../../src/ordering/state.ts';

/** Of a provider with contiguous versions and an API. */
export const POLICY: SourcePolicy = {
  contract: 'sequence',
  api: true,
  find: false,
  first: '1',
  gapTimeoutMs: 30_000,
  lagWindowMs: 60_000,
  askDeadlineMs: 86_400_000,
  effects: 'run',
};
