/** An order as a story: what it is, what it waits for, what ran, what happened. */
import type { OrderView, StreamView } from '../operations/show-order.ts';
import type { Timeline, TimelineEntry } from '../operations/order-timeline.ts';
import { colours, plain, print, printTable } from './print.ts';
import { formatAge, formatInstant } from './time.ts';
import type { UtcOption } from './time.ts';

const ATTENTION = {
  gap: 'a version never came',
  review: 'a person has to decide',
  effect: 'an effect needs a person',
  reconcile: 'the provider does not answer',
  conflict: 'two sources of truth disagree',
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
  printStreams(order.streams, nowMs);
  if (order.effects.length > 0) {
    print('\nEffects');
    printTable(
      ['effect', 'state', 'attempts', 'key', 'error'],
      order.effects.map((effect) => [
        effect.name,
        effect.state,
        String(effect.attempts),
        effect.key,
        effect.error ?? '',
      ]),
    );
  }
  if (timeline !== null) printTimeline(timeline, options);
}

function printStreams(streams: StreamView[], nowMs: number): void {
  if (streams.length === 0) return;
  print('\nStreams');
  for (const stream of streams) {
    const version = stream.version === null ? 'no version yet' : `at version ${stream.version}`;
    const missing =
      stream.missing.length === 0 ? '' : `, never seen: ${stream.missing.map(rangeText).join(', ')}`;
    print(`  ${plain(stream.source)}/${plain(stream.object)}  ${version}${missing} (${stream.contract})`);
    for (const held of stream.held) {
      const named = held.version === null ? '' : ` version ${held.version}`;
      print(
        `    held: ${plain(held.type ?? 'an event nobody wants')}${named} (${plain(held.event)}), ` +
          `since ${formatAge(held.since, nowMs)}; waits for ${plain(held.waitsFor)}`,
      );
    }
  }
}

const rangeText = ([first, last]: [string, string]): string =>
  first === last ? first : `${first} to ${last}`;

function printTimeline(timeline: Timeline, options: UtcOption & { by: string }): void {
  const zone = options.utc ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone;
  print(`\n${options.by === 'version' ? "By the source's versions" : 'As it was received'} (${zone})`);
  printTable(
    ['received', 'source', 'object', 'version', 'type', 'outcome', 'status', 'why'],
    timeline.entries.map((entry) => [
      formatInstant(entry.receivedAt, options),
      entry.source,
      entry.object,
      entry.version ?? '',
      entry.type ?? '',
      entry.outcome ?? 'waiting',
      statusText(entry),
      whyText(entry),
    ]),
  );
}

function statusText({ from, to }: TimelineEntry): string {
  if (from === null || to === null) return '';
  return from === to ? to : `${from} → ${to}`;
}

function whyText(entry: TimelineEntry): string {
  const repeats = entry.deliveries > 1 ? [`delivered ${entry.deliveries} times`] : [];
  const waited = secondsToSettle(entry);
  // A story by receipt reads oddly where an event had to wait: say that it had.
  const late = waited < 1 ? [] : [`settled ${waited.toFixed(1)} s later`];
  const cause = entry.cause === null ? [] : [`after ${entry.cause}`];
  return [...(entry.reason === null ? [] : [entry.reason]), ...late, ...repeats, ...cause].join('; ');
}

function secondsToSettle({ receivedAt, settledAt }: TimelineEntry): number {
  return settledAt === null ? 0 : (Date.parse(settledAt) - Date.parse(receivedAt)) / 1_000;
}
