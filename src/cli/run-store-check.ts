/** `inorder doctor --store` at a terminal: findings as they come, counts at the end. */
import { checkStore } from '../integrity/check-store.ts';
import type { CheckedStore } from '../integrity/check-store.ts';
import type { StoreFinding } from '../integrity/finding.ts';
import { count } from './count.ts';
import type { JsonOption } from './options.ts';
import { colours, plain, print, printJson } from './print.ts';
import { progress } from './progress-line.ts';
import { EXIT } from './report.ts';
import { withStore } from './with-store.ts';

export async function runStoreCheck({ json = false }: JsonOption): Promise<void> {
  const line = progress();
  const sums = await withStore((store) =>
    checkStore(store, {
      onFinding: (finding) => {
        line.clear();
        if (json) printJson(finding);
        else tell(finding);
      },
      onProgress: (sofar) => line.show(`${lookedAt(sofar)} …`),
    }),
  ).finally(() => line.clear());
  if (sums.findings > 0) process.exitCode = EXIT.failed;
  if (json) return printJson(sums);
  if (sums.findings > 0) print('');
  print(`${lookedAt(sums)}: ${sums.findings === 0 ? 'all agrees.' : `${count(sums.findings, 'finding')}.`}`);
}

function tell({ about, of, seen, fix }: StoreFinding): void {
  print(`${colours.red(about.padEnd(8))}  ${colours.bold(plain(of))}: ${plain(seen)}`);
  print(`          → ${plain(fix)}`);
}

const lookedAt = ({ orders, entries, events, effects }: CheckedStore): string =>
  [
    count(orders, 'order'),
    `${entries} entries of the journal`,
    count(events, 'event'),
    count(effects, 'effect'),
  ].join(', ');
