/**
 * Names in a story that nothing has: sources, events, and those of its machine. A slip there would make a story say
 * something else than it seems to, or fail for a reason that nobody sees.
 */
import { didYouMean } from '../../../ordering/did-you-mean.ts';
import type { Machine } from '../../../ordering/machine.ts';
import { providers } from '../../../providers/registry.ts';
import type { Provider } from '../../../providers/provider.ts';
import { isDelivery, isToldByBytes } from './scenario-steps.ts';
import type { ExpectedOrder, Scenario, ScenarioDelivery } from './scenario.ts';
import type { FieldProblem } from './story-problems.ts';

const ATTENTION = ['gap', 'review', 'effect', 'reconcile', 'conflict'];
const OUTCOMES = ['applied', 'ignored', 'stale', 'superseded', 'review', 'archived', 'foreign', 'failed'];
const NOT_FINAL = ['held', 'unlinked', 'waiting', 'absent'];

type Path = (string | number)[];

export function checkNames(scenario: Scenario, machine: Machine): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const known = (path: Path, name: string, names: readonly string[], what: string): void => {
    if (names.includes(name)) return;
    const hint = didYouMean(name, names) || (names.length <= 15 ? ` There are: ${names.join(', ')}.` : '');
    problems.push({ path, message: `there is no ${what} '${name}'.${hint}` });
  };
  const sources = Object.keys(scenario.sources);
  const statuses = Object.keys(machine.statuses);
  const effects = Object.keys(machine.effects);
  const events = eventNames(scenario);
  const knownSources = (path: Path, part: object | undefined): void => {
    for (const name of Object.keys(part ?? {})) known([...path, name], name, sources, 'source');
  };
  const knownEffects = (path: Path, part: object | undefined): void => {
    for (const name of Object.keys(part ?? {}))
      known([...path, name], name, effects, 'effect of the machine');
  };

  for (const [name, { provider }] of Object.entries(scenario.sources)) {
    known(['sources', name, 'provider'], provider, Object.keys(providers), 'provider');
  }
  knownSources(['truth'], scenario.truth);
  knownSources(['api'], scenario.api);
  knownEffects(['effects'], scenario.effects);
  for (const status of Object.keys(scenario.deadlines ?? {})) {
    known(
      ['deadlines', status],
      status,
      statuses.filter((one) => machine.statuses[one]?.deadline),
      'status with a deadline',
    );
  }
  for (const [index, step] of scenario.deliveries.entries()) {
    const path = ['deliveries', index];
    if ('truth' in step) knownSources([...path, 'truth'], step.truth);
    if ('api' in step) knownSources([...path, 'api'], step.api);
    if ('effects' in step) knownEffects([...path, 'effects'], step.effects);
    if ('until' in step) {
      const { status, attention, outcome, event, effect } = step.until;
      if (status !== undefined) known([...path, 'until', 'status'], status, statuses, 'status');
      if (attention !== undefined) known([...path, 'until', 'attention'], attention, ATTENTION, 'attention');
      if (outcome !== undefined)
        known([...path, 'until', 'outcome'], outcome, [...OUTCOMES, ...NOT_FINAL], 'outcome');
      if (event !== undefined && events !== null)
        known([...path, 'until', 'event'], event, events, 'event told in this story');
      if (effect !== undefined) known([...path, 'until', 'effect'], effect, effects, 'effect of the machine');
      knownSources([...path, 'until', 'asked'], step.until.asked);
    }
    if (isDelivery(step)) {
      known([...path, 'source'], step.source, sources, 'source');
      const problem = typeProblem(step, scenario, machine);
      if (problem !== null) problems.push({ path: [...path, 'type'], message: problem });
      if (isAboutNothing(step, scenario)) problems.push({ path, message: ABOUT_NOTHING });
    }
  }

  const { expect } = scenario;
  const order = (path: Path, expected: ExpectedOrder): void => {
    if (expected.status !== undefined) known([...path, 'status'], expected.status, statuses, 'status');
    for (const [index, kind] of (expected.attention ?? []).entries()) {
      known([...path, 'attention', index], kind.split(' ')[0] ?? '', ATTENTION, 'attention');
    }
    knownEffects([...path, 'effects'], expected.effects);
  };
  if (expect.order !== undefined) order(['expect', 'order'], expect.order);
  for (const [id, expected] of Object.entries(expect.orders ?? {})) {
    if (expected !== 'absent') order(['expect', 'orders', id], expected);
  }
  for (const [name, expected] of Object.entries(expect.events ?? {})) {
    const path = ['expect', 'events', name];
    if (events !== null && expected !== 'absent') known(path, name, events, 'event told in this story');
    const outcome = typeof expected === 'string' ? expected : expected.outcome;
    if (outcome !== undefined) known(path, outcome, [...OUTCOMES, ...NOT_FINAL], 'outcome');
  }
  knownEffects(['expect', 'effects'], expect.effects);
  knownSources(['expect', 'asked'], expect.asked);
  return problems;
}

/** A word that its provider does not have, where the story does not say that it is refused or kept apart. */
function typeProblem(
  { source, type, http, error }: ScenarioDelivery,
  { sources }: Scenario,
  machine: Machine,
): string | null {
  const told = sources[source];
  if (type === undefined || told === undefined || http !== undefined || error !== undefined) return null;
  const provider = (providers as Record<string, Provider>)[told.provider];
  if (provider === undefined || told['unknownTypes'] === 'archive') return null;
  const own = told['types'];
  const words = [
    ...Object.keys(provider.types),
    ...Object.keys(typeof own === 'object' && own !== null ? own : {}),
  ];
  if (words.includes(type)) return null;
  if (type in machine.on)
    return `is a word of the table that ${told.provider} does not know: write types: { ${type}: ${type} } at source '${source}'.`;
  return `${told.provider} has no type '${type}'.${didYouMean(type, words) || ' It is refused with 422; say so with http: 422 if that is meant.'}`;
}

const ABOUT_NOTHING =
  "is about nothing: write 'order' at the head of the story, or 'order' or 'object' in the delivery.";

/** An object that has no name would be refused, for a reason that looks like another. */
function isAboutNothing(delivery: ScenarioDelivery, { order: storysOrder }: Scenario): boolean {
  const { type, object, order, payment, http, error } = delivery;
  const named = storysOrder ?? order ?? object ?? payment;
  return type !== undefined && named === undefined && http === undefined && error === undefined;
}

/** null: some are told by their bytes, and their ids stand in there. */
function eventNames({ deliveries }: Scenario): string[] | null {
  const told = deliveries.filter(isDelivery);
  const names: string[] = [];
  for (const [index, step] of told.entries()) {
    if (isToldByBytes(step)) return null;
    const { source, event } = step;
    const id = event ?? `e${index + 1}`;
    names.push(id, `${source}/${id}`);
  }
  return names;
}
