/** Compares what came out with what the story expects. Only what the story names is looked at. */
import { isDeepStrictEqual } from 'node:util';
import type { Observation, ObservedEffect, ObservedEvent, ObservedOrder } from './observation.ts';
import type {
  Expectation,
  ExpectedEffect,
  ExpectedEvent,
  ExpectedOrder,
  Scenario,
} from '../format/scenario.ts';

export interface Diff {
  /** Where in the story it is expected, e.g. `expect.order.status`. */
  path: (string | number)[];
  expected: string;
  actual: string;
}

/** `environment`: of this run; in keys the story writes `test`. */
export function judge(scenario: Scenario, seen: Observation, environment: string): Diff[] {
  const { expect } = scenario;
  const diffs = [
    ...(expect.order === undefined ? [] : judgeStorysOrder(scenario, expect.order, seen, environment)),
    ...Object.entries(expect.orders ?? {}).flatMap(([id, expected]) =>
      judgeOrder(['orders', id], id, expected, seen, environment),
    ),
    ...Object.entries(expect.events ?? {}).flatMap(([name, expected]) =>
      judgeEvent(name, expected, seen.events),
    ),
    ...judgeEffects(['effects'], expect.effects, seen.effects, environment),
    ...judgeCounts('refused', expect.refused, seen.refused),
    ...judgeAsked(expect.asked, seen.asked),
  ];
  return diffs.map((diff) => ({ ...diff, path: ['expect', ...diff.path] }));
}

function judgeStorysOrder(
  scenario: Scenario,
  expected: ExpectedOrder,
  seen: Observation,
  environment: string,
): Diff[] {
  const [only, ...others] = seen.orders;
  const id = scenario.order ?? (others.length === 0 ? only?.id : undefined);
  if (id !== undefined) return judgeOrder(['order'], id, expected, seen, environment);
  const ids = seen.orders.map((order) => order.id).join(', ');
  return [{ path: ['order'], expected: 'one order', actual: ids === '' ? 'none' : `several: ${ids}` }];
}

function judgeOrder(
  path: string[],
  id: string,
  expected: ExpectedOrder | 'absent',
  seen: Observation,
  environment: string,
): Diff[] {
  const order = seen.orders.find((one) => one.id === id);
  if (expected === 'absent') {
    return order === undefined ? [] : [{ path, expected: 'no such order', actual: order.status }];
  }
  const effects = judgeEffects(
    [...path, 'effects'],
    expected.effects,
    seen.effects.filter((effect) => effect.order === id),
    environment,
  );
  if (order === undefined)
    return [{ path, expected: `an order ${id}`, actual: 'none was decided' }, ...effects];
  return [
    ...same([...path, 'status'], expected.status, order.status),
    ...same([...path, 'bearer'], expected.bearer, order.bearer),
    ...judgeAttention([...path, 'attention'], expected.attention, order),
    ...judgeJournal([...path, 'journal'], expected.journal, order),
    ...effects,
  ];
}

/** Each kind, or a kind and its stream; in any order. */
function judgeAttention(
  path: string[],
  expected: string[] | undefined,
  { attention }: ObservedOrder,
): Diff[] {
  if (expected === undefined) return [];
  const namesOf = ({ kind, stream }: ObservedOrder['attention'][number]) => [
    kind,
    `${kind} ${stream ?? ''}`.trim(),
  ];
  const isComplete =
    expected.every((name) => attention.some((one) => namesOf(one).includes(name))) &&
    attention.every((one) => namesOf(one).some((name) => expected.includes(name)));
  if (isComplete) return [];
  const actual = attention.map(({ kind, stream, reason }) =>
    `${kind} ${stream ?? ''} (${reason})`.replace('  ', ' '),
  );
  return [{ path, expected: listed(expected), actual: listed(actual) }];
}

/** They are there in this order; others may lie between. */
function judgeJournal(
  path: string[],
  expected: ExpectedOrder['journal'],
  { journal }: ObservedOrder,
): Diff[] {
  let from = 0;
  for (const [index, entry] of (expected ?? []).entries()) {
    const found = journal.findIndex(
      (one, at) =>
        at >= from &&
        Object.entries(entry).every(
          ([name, value]) => asText((one as unknown as Record<string, unknown>)[name]) === asText(value),
        ),
    );
    if (found === -1) {
      const rest = journal.slice(from).map(({ kind, from: before, to }) => `${kind} ${before} → ${to}`);
      return [{ path: [...path, String(index)], expected: fieldsText(entry), actual: listed(rest) }];
    }
    from = found + 1;
  }
  return [];
}

function judgeEvent(name: string, expected: ExpectedEvent, events: ObservedEvent[]): Diff[] {
  const path = ['events', name];
  const found = events.filter(({ source, id }) => id === name || `${source}/${id}` === name);
  const [event, other] = found;
  if (expected === 'absent') {
    return event === undefined ? [] : [{ path, expected: 'not stored', actual: outcomeText(event) }];
  }
  if (event === undefined) return [{ path, expected: wishText(expected), actual: 'not stored' }];
  if (other !== undefined && !name.includes('/')) {
    const names = found.map(({ source, id }) => `${source}/${id}`);
    return [{ path, expected: 'one event of this id', actual: listed(names) }];
  }
  if (typeof expected === 'string') {
    return (event.outcome ?? 'waiting') === expected ? [] : [{ path, expected, actual: outcomeText(event) }];
  }
  const { outcome, reason, ...fields } = expected;
  return [
    ...(outcome === undefined || (event.outcome ?? 'waiting') === outcome
      ? []
      : [{ path: [...path, 'outcome'], expected: outcome, actual: outcomeText(event) }]),
    ...(reason === undefined || (event.reason ?? '').includes(reason)
      ? []
      : [{ path: [...path, 'reason'], expected: reason, actual: event.reason ?? 'none' }]),
    ...Object.entries(fields).flatMap(([field, value]) =>
      same([...path, field], value, event[field as keyof typeof fields]),
    ),
  ];
}

function judgeEffects(
  path: string[],
  expected: Expectation['effects'],
  effects: ObservedEffect[],
  environment: string,
): Diff[] {
  return Object.entries(expected ?? {}).flatMap(([name, wish]) =>
    judgeEffect(
      [...path, name],
      wish,
      effects.filter((effect) => effect.name === name),
      environment,
    ),
  );
}

function judgeEffect(
  path: string[],
  wish: ExpectedEffect,
  effects: ObservedEffect[],
  environment: string,
): Diff[] {
  const done = effects.filter(({ isDone }) => isDone);
  if (typeof wish === 'number') {
    if (done.length === wish) return [];
    return [{ path, expected: timesText(wish), actual: `${timesText(done.length)}${rowsText(effects)}` }];
  }
  const diffs: Diff[] = [];
  const { times, calls, keys, body, state } = wish;
  if (times !== undefined && done.length !== times) {
    diffs.push({
      path: [...path, 'times'],
      expected: timesText(times),
      actual: `${timesText(done.length)}${rowsText(effects)}`,
    });
  }
  const allCalls = effects.reduce((sum, effect) => sum + effect.calls, 0);
  diffs.push(...same([...path, 'calls'], calls, allCalls));
  if (keys !== undefined) {
    const seen = effects.map(({ key }) => asTest(key, environment)).sort();
    if (!isDeepStrictEqual(seen, [...keys].sort())) {
      diffs.push({ path: [...path, 'keys'], expected: listed(keys), actual: listed(seen) });
    }
  }
  if (state !== undefined && (effects.length === 0 || effects.some((effect) => effect.state !== state))) {
    const states = effects.map((effect) => effect.state);
    diffs.push({
      path: [...path, 'state'],
      expected: state,
      actual: states.length === 0 ? 'never asked for' : listed(states),
    });
  }
  const bodies = effects.flatMap((effect) =>
    effect.calls > 0 ? [asTestBody(effect.body, environment)] : [],
  );
  if (body !== undefined && !bodies.some((one) => holds(one, body))) {
    const actual = bodies.length === 0 ? 'no call' : bodies.map((one) => JSON.stringify(one)).join(' and ');
    diffs.push({ path: [...path, 'body'], expected: JSON.stringify(body), actual });
  }
  return diffs;
}

function judgeCounts(
  name: string,
  expected: Record<string, number> = {},
  seen: Record<string, number>,
): Diff[] {
  return Object.entries(expected).flatMap(([key, value]) => same([name, key], value, seen[key] ?? 0));
}

function judgeAsked(expected: Expectation['asked'] = {}, seen: Record<string, number>): Diff[] {
  return Object.entries(expected).flatMap(([source, wish]) => {
    const times = seen[source] ?? 0;
    const path = ['asked', source];
    if (typeof wish === 'number') return same(path, wish, times);
    return times <= wish.most ? [] : [{ path, expected: `at most ${wish.most}`, actual: String(times) }];
  });
}

/** Each field that is named is there, and equal; texts and numbers of one spelling are. */
function holds(actual: unknown, wish: unknown): boolean {
  if (Array.isArray(wish)) {
    return (
      Array.isArray(actual) &&
      actual.length === wish.length &&
      wish.every((one, index) => holds(actual[index], one))
    );
  }
  if (typeof wish === 'object' && wish !== null) {
    if (typeof actual !== 'object' || actual === null) return false;
    return Object.entries(wish).every(([name, value]) =>
      holds((actual as Record<string, unknown>)[name], value),
    );
  }
  return asText(actual) === asText(wish);
}

function same(path: string[], expected: unknown, actual: unknown): Diff[] {
  if (expected === undefined || asText(expected) === asText(actual)) return [];
  return [{ path, expected: asText(expected), actual: asText(actual) }];
}

function asText(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
const listed = (names: string[]): string => (names.length === 0 ? 'none' : names.join(', '));
const timesText = (times: number): string =>
  times === 0 ? 'not done' : times === 1 ? 'done once' : `done ${times} times`;
const outcomeText = ({ outcome, reason }: ObservedEvent): string =>
  `${outcome ?? 'waiting'}${reason === null ? '' : ` (${reason})`}`;
const wishText = (expected: ExpectedEvent): string =>
  typeof expected === 'string' ? expected : fieldsText(expected);
const fieldsText = (fields: object): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${asText(value)}`)
    .join(', ');

function rowsText(effects: ObservedEffect[]): string {
  const open = effects.filter(({ isDone }) => !isDone);
  const states = [...new Set(open.map(({ state }) => state))];
  return states.length === 0 ? '' : ` (${open.length} ${states.join(', ')})`;
}

const asTest = (key: string, environment: string): string => key.replace(`/${environment}/`, '/test/');
const asTestBody = (body: unknown, environment: string): unknown =>
  JSON.parse(JSON.stringify(body ?? null).replaceAll(environment, 'test'));
