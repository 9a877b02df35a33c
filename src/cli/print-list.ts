/** A list: NDJSON for programs, columns for people; nothing found is exit code 3, on both. */
import type { Listed } from '../operations/list-orders.ts';
import { printJson, printTable, say } from './print.ts';
import { EXIT } from './report.ts';

export function printList<T>(
  { items, hasMore }: Listed<T>,
  { json = false, limit, what }: { json: boolean | undefined; limit: number; what: string },
  titles: string[],
  columns: (item: T) => string[],
): void {
  if (items.length === 0) {
    say(`No ${what} match.`);
    process.exitCode = EXIT.nothing;
    return;
  }
  if (json) for (const item of items) printJson(item);
  else printTable(titles, items.map(columns));
  if (hasMore) say(`There are more than these ${limit}; --limit shows more.`);
}
