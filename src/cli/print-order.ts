/** An order as a story: what it is, what it waits for, what ran, what happened. */
import type { EffectView } from '../operations/effect-view.ts';
import type { AskView } from '../operations/open-questions.ts';
import type { OrderView, StreamView } from '../operations/show-order.ts';
import type { Timeline } from '../operations/order-timeline.ts';
import { count } from './count.ts';
import { colours, plain, print, printTable, shorten } from './print.ts';
import { printTimeline } from './print-timeline.ts';
import { formatAge, formatInstant, formatInstantsIn, formatUntil } from './time.ts';
import type { UtcOption } from './time.ts';
import { shortWait } from './words.ts';

const ATTENTION = {
  gap: 'a version never came',
  review: 'a person has to decide',
  effect: 'an effect needs a person',
  reconcile: 'the provider does not answer',
  conflict: 'two orders or two runs say it is theirs',
};

export function printOrder(
  order: OrderView,
  timeline: Timeline | null,
  options: UtcOption & { by: string; nowMs: number },
): void {
  const { nowMs } = options;
  print(`${colours.bold(plain(order.id))}  ${plain(order.machine)}/${plain(order.environment)}`);
  const bearer = order.bearer === null ? '' : `, carried by payment ${plain(order.bearer)}`;
  print(
    `  ${colours.bold(order.status)}${bearer}; revision ${order.revision}, ${formatAge(order.updatedAt, nowMs)}`,
  );
  for (const { kind, stream, reason, since, commands, advice } of order.attention) {
    const where = stream === null ? '' : ` ${plain(stream)}:`;
    print(
      `  ${colours.yellow(`! ${ATTENTION[kind]}`)}:${where} ${plain(reason)} (since ${formatAge(since, nowMs)})`,
    );
    for (const command of commands) print(`      ${plain(command)}`);
    if (advice !== null) print(`      ${advice}`);
  }
  if (order.deadline !== null)
    print(
      `  ${plain(order.deadline.type)} is due ${formatInstant(order.deadline.at, options)}${PHASE[order.deadline.phase]}`,
    );
  for (const { source, object, order: first, also, since } of order.contested)
    print(
      `  ${plain(source)}/${plain(object)} was named for two orders: first for ${plain(first)}, which has it, ` +
        `then for ${plain(also)} (${formatAge(since, nowMs)})`,
    );
  for (const { source, ...search } of order.searches)
    print(`  ${plain(source)} is searched for the order's objects: ${askText(search, nowMs)}`);
  printStreams(order.streams, options);
  printEffects(order.effects, options);
  if (timeline !== null) printTimeline(timeline, options);
}

const PHASE = {
  waiting: '',
  asking: '; the provider is asked before it acts',
  review: '; nobody can be asked, so a person decides',
};

type PrintOptions = UtcOption & { nowMs: number };

function printStreams(streams: StreamView[], options: PrintOptions): void {
  if (streams.length === 0) return;
  const { nowMs } = options;
  print('\nStreams');
  for (const stream of streams) {
    print(`  ${plain(stream.source)}/${plain(stream.object)}  ${standText(stream)}`);
    if (stream.ask !== null) print(`    asking the provider: ${askText(stream.ask, nowMs)}`);
    if (stream.answer !== null)
      print(
        `    the provider has said ${plain(stream.answer.type)}, since ${formatAge(stream.answer.since, nowMs)}; ` +
          `waits for ${plain(stream.answer.waitsFor)}`,
      );
    for (const line of heldLines(stream.held, options)) print(`    held: ${line}`);
  }
}

function standText({ contract, version, missing }: StreamView): string {
  // Its events have no versions, ever.
  if (contract === 'unordered') return contract;
  const at = version === null ? 'no version yet' : `at version ${version}`;
  return `${at}${missing.length === 0 ? '' : `, never seen: ${missing.map(rangeText).join(', ')}`} (${contract})`;
}

/** One line for all that wait for the same thing: a provider that is asked may hold up a dozen events at once. */
function heldLines(held: StreamView['held'], { nowMs, ...options }: PrintOptions): string[] {
  const byWait = groups(held, ({ waitsFor }) => plain(formatInstantsIn(shortWait(waitsFor), options)));
  return byWait.map(([waitsFor, [first, ...more]]) => {
    const since = formatAge(first.since, nowMs);
    if (more.length === 0) {
      const version = first.version === null ? '' : ` version ${first.version}`;
      return `${typeText(first)}${version} (${plain(first.event)}), since ${since}; waits for ${waitsFor}`;
    }
    const types = groups([first, ...more], typeText).map(([type, { length }]) =>
      length === 1 ? type : `${length} × ${type}`,
    );
    return `${types.join(', ')}; the first since ${since}; they wait for ${waitsFor}`;
  });
}

function groups<T>(items: T[], keyOf: (item: T) => string): [string, [T, ...T[]]][] {
  const found = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const group = found.get(keyOf(item));
    if (group === undefined) found.set(keyOf(item), [item]);
    else group.push(item);
  }
  return [...found];
}

const typeText = ({ type }: StreamView['held'][number]): string => plain(type ?? 'an event nobody wants');

function askText({ reason, since, attempts, nextAt, late }: AskView, nowMs: number): string {
  const tries = attempts === 0 ? '' : `, ${count(attempts, 'try', 'tries')} so far`;
  const next = nextAt === null ? ', under way' : `, next try ${formatUntil(nextAt, nowMs)}`;
  return `${reason}; since ${formatAge(since, nowMs)}${tries}${next}${late ? ', too long: a person should look' : ''}`;
}

const LONGEST_KEY = 44;

function printEffects(effects: EffectView[], options: PrintOptions): void {
  if (effects.length === 0) return;
  print('\nEffects');
  printTable(
    ['effect', 'state', 'attempts', 'ended', 'key', 'why'],
    effects.map((effect) => [
      effect.name,
      effect.state,
      String(effect.attempts),
      effect.endedAt === null ? '' : formatInstant(effect.endedAt, options),
      shorten(effect.key, LONGEST_KEY),
      [
        ...(effect.error === null ? [] : [effect.error]),
        ...(effect.waitsFor === null ? [] : [`waits for ${formatInstantsIn(effect.waitsFor, options)}`]),
      ].join('; '),
    ]),
  );
}

const rangeText = ([first, last]: [string, string]): string =>
  first === last ? first : `${first} to ${last}`;
