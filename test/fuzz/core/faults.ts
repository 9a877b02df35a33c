/** What no decision may be, whatever the machine says and whatever came. */
import { isDeepStrictEqual } from 'node:util';
import { attentionOf } from '../../../src/ordering/attention.ts';
import type { Machine } from '../../../src/ordering/machine.ts';
import { planOf } from '../../../src/ordering/plan.ts';
import { readState } from '../../../src/ordering/read-state.ts';
import type { Decision, OrderState } from '../../../src/ordering/state.ts';
import { compareVersions } from '../../../src/ordering/version.ts';

interface Known {
  machine: Machine;
  /** The last outcome of each event, by its seq. */
  outcomes: ReadonlyMap<string, string>;
  mayGoBack: boolean;
}

const AFTER_REVIEW = new Set(['applied', 'ignored', 'superseded', 'stale']);

export function faultsOfDecision(
  before: OrderState,
  decide: () => Decision | null,
  known: Known,
): { decision: Decision | null; faults: string[] } {
  freeze(before);
  let decision: Decision | null;
  let again: Decision | null;
  try {
    decision = decide();
    again = decide();
  } catch (error) {
    return {
      decision: null,
      faults: [`threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`],
    };
  }
  if (decision === null) return { decision, faults: [] };
  const faults = [
    ...faultsOfState(decision.state, known.machine),
    ...faultsOfOutcomes(decision, known),
    ...(known.mayGoBack ? [] : backwards(before, decision.state)),
  ];
  if (!isDeepStrictEqual(decision, again)) faults.push('the same input gives another decision');
  const effects = decision.effects.map(({ name, once }) => `${name} ${once}`);
  if (new Set(effects).size < effects.length)
    faults.push(`an effect is asked for twice: ${effects.join(', ')}`);
  for (const { name } of decision.effects)
    if (known.machine.effects[name] === undefined) faults.push(`there is no effect ${name}`);
  return { decision, faults };
}

function faultsOfState(state: OrderState, machine: Machine): string[] {
  const faults: string[] = [];
  const read = readState(JSON.parse(JSON.stringify(state)));
  if (!isDeepStrictEqual(read, state)) faults.push('the state is no plain JSON');
  if (!isDeepStrictEqual(attentionOf(state), state.attention))
    faults.push('attention is not that of the state');
  planOf(state);
  if (machine.statuses[state.status] === undefined) faults.push(`there is no status ${state.status}`);
  return faults;
}

function faultsOfOutcomes(decision: Decision, { outcomes }: Known): string[] {
  const last = new Map(decision.outcomes.map(({ ref, outcome }) => [ref.seq, outcome]));
  return [...last].flatMap(([seq, outcome]) => {
    const was = outcomes.get(seq) ?? 'held';
    if (was === 'held' || (was === 'review' && AFTER_REVIEW.has(outcome))) return [];
    return was === outcome ? [] : [`event ${seq} was ${was} and is ${outcome} now`];
  });
}

/** A stream never goes back by itself. */
function backwards(before: OrderState, after: OrderState): string[] {
  return Object.entries(before.streams).flatMap(([key, { version: was, contract }]) => {
    const stream = after.streams[key];
    if (was === null || stream === undefined || stream.contract !== contract) return [];
    const isBack = stream.version === null || compareVersions(stream.version, was) < 0;
    return isBack ? [`${key} went back from version ${was} to ${stream.version}`] : [];
  });
}

/** A decision that changes what it was made on throws. */
function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const part of Object.values(value)) freeze(part);
}
