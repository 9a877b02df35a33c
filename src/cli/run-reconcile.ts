/** A source's list read by hand, at a terminal: progress on stderr, the sum on stdout. */
import { loadConfig } from '../config/load.ts';
import { InorderError } from '../errors.ts';
import { reconcileSource, whyNotRead } from '../operations/reconcile-source.ts';
import type { ListingWindow, ReconcileProgress } from '../../workflows/messages.ts';
import { configFileOf } from './config-file.ts';
import { count } from './count.ts';
import { findSource } from './find-source.ts';
import type { ConfigOption, JsonOption } from './options.ts';
import { plain, print, printJson, printTable, say } from './print.ts';
import { progress } from './progress-line.ts';
import { withOrderClient } from './with-order-client.ts';

export async function runReconcile(
  name: string,
  request: ListingWindow & { isDryRun: boolean },
  options: ConfigOption & JsonOption,
): Promise<void> {
  const config = await loadConfig(configFileOf(options), process.env, { skipsProofs: true });
  const source = findSource(config, name);
  const problem = whyNotRead(source, request, Date.now());
  if (problem !== null) throw new InorderError('usage', problem);
  const line = progress();
  const end = await withOrderClient(({ client, taskQueue }) =>
    reconcileSource(
      {
        ...{ client, taskQueue },
        onProgress: (now) => line.show(progressText(now)),
        onFound: () => say('One is under way already; this is what it does.'),
      },
      name,
      request,
    ),
  ).finally(() => line.clear());
  if (options.json) printJson(toJson(name, end));
  else printEnd(name, end);
}

function progressText({ pages, counts, waitsFor }: ReconcileProgress): string {
  const waits = waitsFor === null ? '' : ` · waits: ${plain(waitsFor)}`;
  return `${count(pages, 'page')}, ${counts.listed} listed, ${counts.found} found${waits}`;
}

function toJson(source: string, { window, pages, counts, isDryRun }: ReconcileProgress): object {
  const iso = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString());
  return {
    source,
    since: iso(window?.sinceMs),
    until: iso(window?.untilMs),
    dryRun: isDryRun,
    pages,
    ...counts,
  };
}

function printEnd(source: string, { window, pages, counts, isDryRun }: ReconcileProgress): void {
  if (window !== null) {
    const [since, until] = [window.sinceMs, window.untilMs].map((ms) => new Date(ms).toISOString());
    print(`${source} lists from ${since} until ${until}, in ${count(pages, 'page')}\n`);
  }
  printTable(
    ['', 'events', 'what became of them'],
    [
      ['found', String(counts.found), isDryRun ? 'would be stored' : 'stored; their orders are told'],
      ['known', String(counts.known), 'came before, by a webhook or a listing'],
      ['unwanted', String(counts.unwanted), 'of a type or an account that nobody here wants'],
      ...(counts.unreadable > 0
        ? [['unreadable', String(counts.unreadable), "no events of this provider's; refused as at the door"]]
        : []),
      ['listed', String(counts.listed), ''],
    ],
  );
  if (isDryRun && counts.found > 0) print('\nWithout --dry-run they are let in.');
}
