/** An order's story as columns: by receipt in one table, by version in one for each stream. */
import type { Timeline, TimelineEntry } from '../operations/order-timeline.ts';
import { colours, plain, print, printTable, shorten, tableLines } from './print.ts';
import { formatInstant, formatInstantsIn, formatSpan, zoneName } from './time.ts';
import type { UtcOption } from './time.ts';
import { legend, reasonInWords, shortWait } from './words.ts';

/** What has an outcome later than this, and was not held, was stuck somewhere. */
const UNUSUAL_MS = 5_000;
const LONGEST_STREAM = 48;

export function printTimeline({ entries }: Timeline, options: UtcOption & { by: string }): void {
  const zone = zoneName(options);
  if (options.by === 'version') {
    print(`\nBy the source's versions (${zone})`);
    for (const [stream, ofStream] of byStream(entries)) {
      print(`\n  ${stream === '' ? 'The order itself' : plain(stream)}`);
      printEntries(ofStream, options, false);
    }
  } else {
    print(`\nAs it was received (${zone})`);
    printEntries(entries, options, true);
  }
  const explained = legend(entries.map(outcomeOf));
  if (explained.length === 0) return;
  print('');
  for (const line of explained) print(colours.dim(`  ${line}`));
  print(colours.dim('  REV counts the decisions; in its order each status follows from the one before'));
}

/** Of a story: its events by their ids, instants counted from its beginning. */
export function timelineLines({ entries }: Timeline, { since }: { since: string }): string[] {
  const startMs = Date.parse(since);
  return tableLines(
    ['after', 'event', 'stream', 'version', 'type', 'outcome', 'status', 'why'],
    entries.map((entry) => [
      `${((Date.parse(entry.receivedAt) - startMs) / 1_000).toFixed(2)} s`,
      entry.event ?? '',
      shorten(streamOf(entry), LONGEST_STREAM),
      entry.version ?? '',
      entry.type ?? '',
      outcomeOf(entry),
      statusText(entry),
      whyText(entry, { utc: true }),
    ]),
  );
}

function byStream(entries: TimelineEntry[]): Map<string, TimelineEntry[]> {
  const streams = new Map<string, TimelineEntry[]>();
  for (const entry of entries) streams.set(streamOf(entry), [...(streams.get(streamOf(entry)) ?? []), entry]);
  return streams;
}

function printEntries(entries: TimelineEntry[], options: UtcOption, withStream: boolean): void {
  printTable(
    ['received', ...(withStream ? ['stream'] : []), 'version', 'type', 'outcome', 'rev', 'status', 'why'],
    entries.map((entry) => [
      formatInstant(entry.receivedAt, options),
      ...(withStream ? [shorten(streamOf(entry), LONGEST_STREAM)] : []),
      entry.version ?? '',
      entry.type ?? '',
      outcomeOf(entry),
      entry.revision === null ? '' : String(entry.revision),
      statusText(entry),
      whyText(entry, options),
    ]),
  );
}

const streamOf = ({ source, object }: TimelineEntry): string =>
  object === '' ? (source === 'inorder' ? '' : source) : `${source}/${object}`;

const outcomeOf = ({ outcome }: TimelineEntry): string => outcome ?? 'waiting';

function statusText({ from, to }: TimelineEntry): string {
  if (from === null || to === null) return '';
  return from === to ? to : `${from} → ${to}`;
}

function whyText(entry: TimelineEntry, options: UtcOption): string {
  const { reason, held, effects, deliveries, cause, foundBy } = entry;
  return [
    ...(reason === null ? [] : [formatInstantsIn(reasonInWords(reason), options)]),
    ...(held === null ? lateText(entry) : [heldText(held, options)]),
    ...(effects.length === 0 ? [] : [`asked for ${effects.join(', ')}`]),
    ...(foundBy === 'listing' ? [foundText(deliveries)] : []),
    ...(foundBy === 'webhook' && deliveries > 1 ? [`delivered ${deliveries} times`] : []),
    ...(cause === null ? [] : [`after ${cause}`]),
  ].join('; ');
}

/** Its webhook may still have come. */
const foundText = (deliveries: number): string =>
  `found in the provider's list${deliveries === 0 ? '' : `, its webhook came later`}`;

function heldText(
  { since, until, waitedFor }: NonNullable<TimelineEntry['held']>,
  options: UtcOption,
): string {
  const wait = shortWait(waitedFor);
  if (until === null) return `held since ${formatInstant(since, options).slice(11)} for ${wait}`;
  const isUnusual = Date.parse(until) - Date.parse(since) > UNUSUAL_MS;
  const end = isUnusual ? `, until ${formatInstant(until, options).slice(11)}` : '';
  return `held ${formatSpan(since, until)} for ${wait}${end}`;
}

function lateText({ receivedAt, settledAt, outcome }: TimelineEntry): string[] {
  if (settledAt === null || outcome === 'missing') return [];
  const isUnusual = Date.parse(settledAt) - Date.parse(receivedAt) > UNUSUAL_MS;
  return isUnusual ? [`judged only ${formatSpan(receivedAt, settledAt)} after it came`] : [];
}
