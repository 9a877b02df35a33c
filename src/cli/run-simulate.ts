/** Simulate at a terminal: finds the dev that is up, shows each delivery with its answer, and says where to look. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadEnvironmentWithoutStore } from '../config/environment.ts';
import { loadConfig } from '../config/load.ts';
import { InorderError } from '../errors.ts';
import { readDevFile } from '../dev/simulate/control.ts';
import type { Delivered } from '../dev/simulate/deliver.ts';
import type { Story } from '../dev/simulate/plan.ts';
import { simulate } from '../dev/simulate/simulate.ts';
import type { Simulated } from '../dev/simulate/simulate.ts';
import { dropOwnVariables, readEnvFile } from '../dev/own-variables.ts';
import { configFileOf } from './config-file.ts';
import { count } from './count.ts';
import { findSource } from './find-source.ts';
import type { ConfigOption, JsonOption } from './options.ts';
import { colours, plain, print, printJson, say } from './print.ts';

interface RunOptions extends ConfigOption, JsonOption {
  order?: string;
  count: number;
  rate?: number;
  story?: Story;
  to?: string;
  seed?: string;
  directory: string;
  yes?: boolean;
}

/** Whether every answer was as it has to be. */
export async function runSimulate(name: string, word: string, options: RunOptions): Promise<boolean> {
  const dev = await readDevFile(options.directory);
  // Secrets that dev made up are in its file; what is really set wins, but not what is from an older such file.
  const ofDev = dev === null ? {} : readEnvFile(await readFile(join(options.directory, 'env'), 'utf8'));
  const own = { ...process.env };
  if (dev !== null) dropOwnVariables(own);
  const set = Object.fromEntries(Object.entries(own).filter(([, value]) => (value ?? '') !== ''));
  const file = options.config ?? set['INORDER_CONFIG'] ?? ofDev['INORDER_CONFIG'];
  const config = await loadConfig(
    configFileOf(file === undefined ? {} : { config: file }),
    { ...ofDev, ...set },
    { skipsProofs: true },
  );
  const source = findSource(config, name);
  const { port } = loadEnvironmentWithoutStore(process.env);
  const widths: number[] = [];
  const simulated = await simulate(config, source, {
    word,
    order: options.order ?? null,
    count: options.count,
    rate: options.rate ?? null,
    story: options.story ?? null,
    target: targetOf(options.to) ?? dev?.webhooks ?? `http://127.0.0.1:${port}`,
    seed: options.seed ?? null,
    yes: options.yes ?? false,
    dev,
    onDelivered: (delivered) => (options.json ? printJson(delivered) : print(lineOf(delivered, widths))),
  });
  const wrong = simulated.deliveries.filter(({ asExpected }) => !asExpected);
  for (const line of summary(simulated, wrong, set['MYSQL_URL'] === undefined ? ofDev : {}, options))
    say(line);
  return wrong.length === 0;
}

function targetOf(to: string | undefined): string | null {
  if (to === undefined) return null;
  const url = URL.canParse(to) ? new URL(to) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new InorderError(
      'usage',
      `--to must be a receiver's address, as https://webhooks.example.com; it is '${to}'.`,
    );
  }
  return to.replace(/\/+$/, '').replace(/\/webhooks$/, '');
}

/** What varies least comes first, as each line is shown at once: `widths` are those of the columns so far. */
function lineOf(delivered: Delivered, widths: number[]): string {
  const { order, source, type, event, forgery, status, answer, expected, asExpected } = delivered;
  const came = status === null ? answer : `${status} ${answer}`;
  const columns = [order, source, came, event].map((cell, column) => {
    const text = plain(cell);
    widths[column] = Math.max(widths[column] ?? 0, text.length);
    return text.padEnd(widths[column]);
  });
  const line = `${columns.join('  ')}  ${plain(type)}${forgery === null ? '' : `, forged: ${forgery}`}`;
  if (!asExpected) return `${colours.red(line)}, expected: ${expected}`;
  return expected === 'lost' || expected === 'refused' ? colours.dim(line) : line;
}

function summary(
  { orders, deliveries, isAskedInVain }: Simulated,
  wrong: Delivered[],
  ofDev: Record<string, string>,
  { directory }: RunOptions,
): string[] {
  const sent = deliveries.filter(({ expected }) => expected !== 'lost').length;
  const lines = ['', `${count(sent, 'webhook')} sent, ${sent - wrong.length} answered as expected.`];
  if (isAskedInVain) {
    lines.push(
      "The provider's API knows nothing of them, so what has to be asked stays open; `inorder dev --stand-in` plays it, too.",
    );
  }
  const source = 'MYSQL_URL' in ofDev ? `. ${join(directory, 'env')} && ` : '';
  const look = orders.length === 1 ? `orders show ${orders[0] ?? ''}` : 'orders list';
  lines.push(`Look   ${source}npx inorder ${look}`);
  if (wrong.some(({ status }) => status === null))
    lines.push('Nobody answered: is a receiver there? `inorder dev` starts one.');
  if (wrong.some(({ status }) => status === 401)) {
    lines.push('401: the receiver has another secret than this shell; both have to read the same variables.');
  }
  return lines;
}
