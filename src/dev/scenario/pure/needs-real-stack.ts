/** What of a story only the real stack has: then it cannot be played in memory, and is said so. */
import type { Scenario } from '../format/scenario.ts';

/** Answers that a receiver gives before anybody looks at what a body says. */
const BY_HTTP: ReadonlySet<number | string> = new Set([405, 408, 413, 415, 503, 'no answer']);

/** In words what; null: it can be played in memory. */
export function needsRealStack(scenario: Scenario): string | null {
  if (scenario.faults !== undefined && scenario.faults.length > 0) return 'faults at points of its work';
  if (scenario.workers !== undefined && scenario.workers !== 1) return 'its number of workers';
  for (const step of scenario.deliveries) {
    for (const word of ['kill', 'freeze', 'stop', 'start', 'terminate'] as const)
      if (word in step) return word;
    if ('until' in step && step.until.workflow !== undefined) return 'a workflow that closes';
    if ('http' in step && step.http !== undefined && BY_HTTP.has(step.http)) return `http ${step.http}`;
  }
  return null;
}
