/** What no decision may ever do, whatever was delivered, answered or waited for. */
import type { Machine } from '../machine.ts';
import type { Decision, EventOutcome, OrderState, Outcome } from '../state.ts';
import { compareVersions } from '../version.ts';

interface Before {
  state: OrderState;
  outcomes: Record<string, Outcome>;
}

interface Told {
  /** The last outcome of each event in the decision, by its id. */
  last: ReadonlyMap<string, EventOutcome>;
  /** A person began a stream anew. */
  mayGoBack: boolean;
}

const AFTER_REVIEW: ReadonlySet<Outcome> = new Set(['applied', 'ignored', 'superseded']);

export function faultsOf(
  machine: Machine,
  before: Before,
  decision: Decision,
  { last, mayGoBack }: Told,
): string[] {
  const faults: string[] = [];
  for (const [id, { outcome, reason }] of last) {
    const was = before.outcomes[id];
    if (outcome === 'failed') faults.push(`${id} failed: ${reason}`);
    if (was === undefined || was === 'held') continue;
    if (was === 'review' && AFTER_REVIEW.has(outcome)) continue;
    faults.push(`${id} was settled ${was} and is ${outcome} now (${reason})`);
  }
  for (const [key, stream] of Object.entries(decision.state.streams)) {
    const was = before.state.streams[key]?.version ?? null;
    if (was === null || mayGoBack) continue;
    if (stream.version === null || compareVersions(stream.version, was) < 0)
      faults.push(`${key} went back from version ${was} to ${stream.version}`);
  }
  if (machine.statuses[decision.state.status] === undefined)
    faults.push(`no status ${decision.state.status}`);
  for (const effect of decision.effects)
    if (machine.effects[effect.name] === undefined) faults.push(`no effect ${effect.name}`);
  return faults;
}
