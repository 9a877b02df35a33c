/**
 * Signed deliveries stored and answered per second, beside two floors in the same run: the smallest Koa app with one
 * INSERT per request, and one that does not store at all. Alternating rounds, medians.
 *
 *     node --import tsx bench/accept.ts [seconds per round]
 *
 * Temporal is not there: what is measured is the door, not what is behind it.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';

import type { LoadResult } from './load.ts';
import { startServices } from './services.ts';

const ROUNDS = 3;
const CONNECTIONS = 64;
const WARM_UP_DELIVERIES = 15_000;
const WARM_UP_SECONDS = 8;
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const NOWHERE = '127.0.0.1:9';
const seconds = Number(process.argv[2] ?? 1.5);

interface Contender {
  name: 'inorder' | 'insert' | 'answer';
  port: number;
  path: string;
  pid: number | null;
  rounds: Round[];
}

/** CPU time per answer, of the three processes that share the cores. */
interface Round extends LoadResult {
  serverMicros: number;
  mysqlMicros: number;
}

const children: ChildProcess[] = [];

/** Starts a server and waits for the port it says. */
async function start(
  name: Contender['name'],
  path: string,
  args: string[],
  environment: Record<string, string>,
): Promise<Contender> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const port = await new Promise<number>((resolve, reject) => {
    let text = '';
    const look = (chunk: Buffer): void => {
      text += chunk.toString();
      const found = /"port":(\d+)/.exec(text)?.[1];
      if (found !== undefined) resolve(Number(found));
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.once('exit', () => {
      reject(new Error(`${name} did not start:\n${text}`));
    });
  });
  return { name, port, path, pid: child.pid ?? null, rounds: [] };
}

async function measure(contender: Contender): Promise<Round> {
  const pids = [contender.pid, services.mysqlPid];
  const before = pids.map(cpuMicrosOf);
  const result = await load(contender, seconds);
  const [serverMicros = 0, mysqlMicros = 0] = pids.map(
    (pid, index) => (cpuMicrosOf(pid) - (before[index] ?? 0)) / result.answered,
  );
  return { ...result, serverMicros, mysqlMicros };
}

/** User and system time so far, as Linux tells it in hundredths of a second; 0 where it does not. */
function cpuMicrosOf(pid: number | null): number {
  if (pid === null) return 0;
  try {
    const fields = readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10_000;
  } catch {
    return 0;
  }
}

function load({ port, path }: Contender, forSeconds: number, most?: number): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const args = ['--import', 'tsx', 'bench/load.ts', String(port), path, SECRET];
    const child = spawn(
      process.execPath,
      [...args, String(CONNECTIONS), String(forSeconds), ...(most === undefined ? [] : [String(most)])],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.once('exit', (status) => {
      if (status === 0) resolve(JSON.parse(text) as LoadResult);
      else reject(new Error(`the load ended with ${String(status)}`));
    });
  });
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

// Services of its own but for Temporal, which is not part of this.
process.env['TEMPORAL_ADDRESS'] ??= NOWHERE;
const services = await startServices();
try {
  const tsx = ['--import', 'tsx'];
  const contenders = [
    await start('inorder', '/webhooks/shop', ['bin/inorder.js', 'receiver'], {
      MYSQL_URL: await services.database('accept'),
      TEMPORAL_ADDRESS: NOWHERE,
      INORDER_HOST: '127.0.0.1',
      INORDER_PORT: '0',
      INORDER_OPERATIONS_PORT: '0',
      SHOP_WEBHOOK_SECRET: SECRET,
      PAYMENTS_WEBHOOK_SECRET: SECRET,
      SHOP_API_URL: `http://${NOWHERE}`,
      PAYMENTS_API_URL: `http://${NOWHERE}`,
      EFFECTS_URL: `http://${NOWHERE}`,
      EFFECTS_SECRET: SECRET,
    }),
    ...(await Promise.all(
      (['insert', 'answer'] as const).map(async (mode) =>
        start(mode, '/', [...tsx, 'bench/floors/accept.ts', mode, SECRET], {
          MYSQL_URL: await services.database(`accept_${mode}`),
        }),
      ),
    )),
  ];
  console.log(
    `${String(cpus().length)} cores, load ${loadavg()[0]?.toFixed(1) ?? '?'}, ${String(CONNECTIONS)} connections, ${String(ROUNDS)} rounds of ${String(seconds)} s`,
  );
  // By deliveries and not by time: cold code would burden whoever is slow and whoever has more of it.
  for (const contender of contenders) await load(contender, WARM_UP_SECONDS, WARM_UP_DELIVERIES);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const contender of contenders) contender.rounds.push(await measure(contender));
  }
  const figures = new Map(
    contenders.map(({ name, rounds }) => [
      name,
      {
        perSecond: median(rounds.map((one) => one.perSecond)),
        p50Ms: median(rounds.map((one) => one.p50Ms)),
        p99Ms: median(rounds.map((one) => one.p99Ms)),
        cpu: (['serverMicros', 'mysqlMicros', 'cpuMicros'] as const).map((who) =>
          Math.round(median(rounds.map((one) => one[who]))),
        ),
        failed: rounds.reduce((sum, one) => sum + one.failed, 0),
      },
    ]),
  );
  for (const [name, { perSecond, p50Ms, p99Ms, cpu, failed }] of figures) {
    console.log(
      `${name.padEnd(8)} ${String(Math.round(perSecond)).padStart(7)}/s  p50 ${p50Ms.toFixed(1)} ms  p99 ${p99Ms.toFixed(1)} ms  ` +
        `CPU per answer: server ${String(cpu[0])}, database ${String(cpu[1])}, client ${String(cpu[2])} µs  failed ${String(failed)}`,
    );
  }
  const [ours, insert, answer] = (['inorder', 'insert', 'answer'] as const).map((name) => figures.get(name));
  if (ours && insert && answer) {
    verdict(
      'rate beside one INSERT per request',
      ours.perSecond / insert.perSecond,
      (x) => x >= 1.8,
      '≥ 1.8',
    );
    verdict('p99 beside one INSERT per request', ours.p99Ms / insert.p99Ms, (x) => x <= 0.7, '≤ 0.7');
    verdict('rate beside no storing', ours.perSecond / answer.perSecond, (x) => x >= 0.5, '≥ 0.5');
  }
} finally {
  for (const child of children) {
    child.kill('SIGTERM');
    if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve));
  }
  await services.stop();
}

function verdict(what: string, ratio: number, isMet: (ratio: number) => boolean, aim: string): void {
  console.log(`${what}: ${ratio.toFixed(2)} (aim ${aim}: ${isMet(ratio) ? 'met' : 'missed'})`);
}
