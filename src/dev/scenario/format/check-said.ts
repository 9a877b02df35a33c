/**
 * What a story says and nothing would ever be compared with: it would be green whatever comes out. A slip of a name is
 * one kind of it (`check-names.ts`); here are words without the one that they belong to.
 */
import { didYouMean } from '../../../ordering/did-you-mean.ts';
import { REFUSAL_CODES } from '../../../receiver/answer.ts';
import { isDelivery, isToldByBytes } from './scenario-steps.ts';
import type { ExpectedEffect, Scenario, ScenarioDelivery, ScenarioFault, ScenarioUntil } from './scenario.ts';
import type { FieldProblem } from './story-problems.ts';

type Path = (string | number)[];

export function checkSaid(scenario: Scenario): FieldProblem[] {
  const { deliveries, faults = [], expect } = scenario;
  const problems: FieldProblem[] = [];
  const told = new Set<string>();
  for (const [index, step] of deliveries.entries()) {
    const path = ['deliveries', index];
    if ('until' in step) problems.push(...ofUntil([...path, 'until'], step.until, scenario));
    if (!isDelivery(step)) continue;
    problems.push(...ofDelivery(path, step, told));
    if (step.event !== undefined) told.add(`${step.source}/${step.event}`);
  }
  for (const [index, fault] of faults.entries()) problems.push(...ofFault(['faults', index], fault));
  return [...problems, ...ofExpectations(expect, scenario)];
}

// ---- steps ----

function ofUntil(
  path: Path,
  until: ScenarioUntil['until'],
  { order: storysOrder }: Scenario,
): FieldProblem[] {
  const { order, event, outcome, effect, state, workflow, ...signs } = until;
  const needs = (word: string, what: string): FieldProblem => ({
    path: [...path, word],
    message: `is not looked at without ${what}`,
  });
  if (outcome !== undefined && event === undefined) return [needs('outcome', "the 'event' whose it is")];
  if (state !== undefined && effect === undefined) return [needs('state', "the 'effect' whose it is")];
  if (workflow !== undefined && (order ?? storysOrder) === undefined)
    return [needs('workflow', "an 'order': here, or at the story's head")];
  const isSign = [event, effect, workflow, ...Object.values(signs)].some((sign) => sign !== undefined);
  return isSign ? [] : [{ path, message: 'names no sign to wait for' }];
}

/** What is about a webhook that is sent. */
const OF_SENDING: ReadonlySet<string> = new Set([
  'headers',
  'sign',
  'copies',
  'parallel',
  'http',
  'error',
  'receiver',
]);
/** What an event that was told before may be sent again with. */
const OF_A_REPEAT: ReadonlySet<string> = new Set(['source', 'event', ...OF_SENDING]);

function ofDelivery(path: Path, step: ScenarioDelivery, told: ReadonlySet<string>): FieldProblem[] {
  const names = Object.keys(step);
  const vain = (which: string[], why: string): FieldProblem[] =>
    which.map((name) => ({ path: [...path, name], message: why }));
  const problems: FieldProblem[] = [];
  if (step.lost === true)
    problems.push(
      ...vain(
        names.filter((name) => OF_SENDING.has(name)),
        'is said of a webhook that is lost and never sent',
      ),
    );
  const isRepeat =
    step.type === undefined && !isToldByBytes(step) && told.has(`${step.source}/${step.event ?? ''}`);
  if (isRepeat)
    problems.push(
      ...vain(
        names.filter((name) => !OF_A_REPEAT.has(name) && name !== 'after'),
        "is not used: without 'type' the event goes out again as it was told before",
      ),
    );
  if (step.error !== undefined && !isRefusal(step.error))
    problems.push({ path: [...path, 'error'], message: unknownCode(step.error) });
  return problems;
}

const POINTS = [
  ...['receiver.verified', 'receiver.stored', 'receiver.offered', 'apply.decided', 'apply.committed'],
  ...['ask.begun', 'ask.answered', 'effect.claimed', 'effect.sent', 'effect.marked'],
  ...['list.read', 'list.stored', 'list.turned'],
];

function ofFault(path: Path, { kill, freeze, at, for: forTime }: ScenarioFault): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if ((kill === undefined) === (freeze === undefined))
    problems.push({ path, message: "must say either 'kill' or 'freeze'" });
  if ((freeze === undefined) !== (forTime === undefined))
    problems.push({ path, message: "must say 'for' how long with 'freeze', and with nothing else" });
  if (!POINTS.includes(at)) {
    const hint = didYouMean(at, POINTS) || ` There are: ${POINTS.join(', ')}.`;
    problems.push({ path: [...path, 'at'], message: `there is no point '${at}'.${hint}` });
  }
  return problems;
}

// ---- expectations ----

function ofExpectations(expect: Scenario['expect'], scenario: Scenario): FieldProblem[] {
  const { order, orders = {}, events = {}, effects = {}, refused = {}, asked = {} } = expect;
  const problems: FieldProblem[] = [];
  const parts = [orders, events, effects, refused, asked];
  if (order === undefined && parts.every((part) => Object.keys(part).length === 0))
    problems.push({ path: ['expect'], message: 'names nothing that must come out' });
  problems.push(...ofEffects(['expect'], effects));
  const told = Object.entries(orders).map(([id, one]) => [['expect', 'orders', id], one] as const);
  for (const [path, one] of [[['expect', 'order'], order] as const, ...told]) {
    if (one === undefined || one === 'absent') continue;
    problems.push(...ofEffects([...path], one.effects ?? {}), ...ofJournal([...path], one.journal ?? []));
  }
  for (const code of Object.keys(refused)) {
    if (!isRefusal(code)) problems.push({ path: ['expect', 'refused', code], message: unknownCode(code) });
  }
  return [...problems, ...ofAbsent(expect, scenario)];
}

function ofJournal(path: Path, entries: object[]): FieldProblem[] {
  return [...entries.entries()].flatMap(([index, entry]) =>
    Object.keys(entry).length > 0
      ? []
      : [{ path: [...path, 'journal', index], message: 'names no field of the entry' }],
  );
}

function ofEffects(path: Path, wishes: Record<string, ExpectedEffect>): FieldProblem[] {
  return Object.entries(wishes).flatMap(([name, wish]) =>
    typeof wish === 'number' || Object.keys(wish).length > 0
      ? []
      : [{ path: [...path, 'effects', name], message: 'names nothing that is compared' }],
  );
}

/** What nothing ever names is always absent. Bytes may name anything. */
function ofAbsent({ orders = {}, events = {} }: Scenario['expect'], scenario: Scenario): FieldProblem[] {
  const told = scenario.deliveries.filter(isDelivery);
  if (told.some(isToldByBytes)) return [];
  const problems: FieldProblem[] = [];
  const check = (path: Path, name: string, names: Iterable<string>, what: string) => {
    const known = [...names];
    if (known.includes(name)) return;
    problems.push({
      path,
      message: `nothing in this story names ${what} '${name}'.${didYouMean(name, known)}`,
    });
  };
  const ids = told.flatMap(({ source, event }, index) => {
    const id = event ?? `e${index + 1}`;
    return [id, `${source}/${id}`];
  });
  for (const [name, wish] of Object.entries(events)) {
    if (wish === 'absent') check(['expect', 'events', name], name, ids, 'an event');
  }
  for (const [id, wish] of Object.entries(orders)) {
    if (wish === 'absent') check(['expect', 'orders', id], id, ordersIn(scenario), 'an order');
  }
  return problems;
}

function ordersIn({ order, truth, deliveries }: Scenario): Set<string> {
  const found = new Set(order === undefined ? [] : [order]);
  const add = (id: string | null | undefined): void => void (id == null || found.add(id));
  const ofObject = (object: string | undefined): void =>
    add(object?.startsWith('order:') === true ? object.slice('order:'.length) : object);
  const ofTruth = (said: Scenario['truth']): void => {
    for (const answers of Object.values(said ?? {})) {
      for (const [object, answer] of Object.entries(answers)) {
        ofObject(object);
        if (answer !== 'gone') add(answer.order);
      }
    }
  };
  ofTruth(truth);
  for (const step of deliveries) {
    if ('truth' in step) ofTruth(step.truth);
    if ('person' in step) add(step.order);
    if (!isDelivery(step)) continue;
    add(step.order);
    ofObject(step.object);
    for (const fact of Object.values(step.facts ?? {})) add(fact);
  }
  return found;
}

/** A code of the receiver's; or of the network, where nobody answered. */
const isRefusal = (code: string): boolean =>
  (REFUSAL_CODES as readonly string[]).includes(code) || /^[A-Z][A-Z_]+$/.test(code);
const unknownCode = (code: string): string =>
  `there is no refusal '${code}'.${didYouMean(code, REFUSAL_CODES) || ` There are: ${REFUSAL_CODES.join(', ')}.`}`;
