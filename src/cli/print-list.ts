/** A list: NDJSON for programs, columns for people; nothing found is exit code 3, on both. */
import type { Listed } from '../operations/list-orders.ts';
import { printJson, printTable, say } from './print.ts';
import { EXIT } from './report.ts';

interface ListOptions {
  json: boolean | undefined;
  limit: number;
  what: string;
  /** Names in the filter that are nowhere, when nothing was found. */
  unknown: string[];
}

export function printList<T>(
  { items, hasMore }: Listed<T>,
  { json = false, limit, what, unknown }: ListOptions,
  titles: string[],
  columns: (item: T) => string[],
): void {
  if (items.length === 0) {
    for (const sentence of unknown) say(sentence);
    if (unknown.length === 0) say(`No ${what} match.`);
    process.exitCode = EXIT.nothing;
    return;
  }
  if (json) for (const item of items) printJson(item);
  else printTable(titles, items.map(columns));
  if (hasMore) say(`There are more than ${limit === 1 ? 'this one' : `these ${limit}`}; --limit shows more.`);
}
