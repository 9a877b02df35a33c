/**
 * `npm run fuzz -- [receiver|adapters|core|states …] [--seconds N] [--seed S] [--json] [--replay FILE]`: throws made-up
 * input at what strangers, providers and old rows can reach. Each part gets `N` seconds. A failing input is written
 * to a file that `--replay` tries again. Exit status 1 if there was a fault.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PART_NAMES } from './part.ts';
import { PARTS } from './parts.ts';
import { playPart, problemsOf } from './play-part.ts';
import type { Fault, PlayedPart } from './play-part.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    json: { type: 'boolean', default: false },
    replay: { type: 'string' },
  },
});
const say = (line: string): void => void process.stderr.write(`${line}\n`);

// Whatever nobody handles is a fault of the part that plays.
const unheard: string[] = [];
process.on('unhandledRejection', (reason) => unheard.push(`an unhandled rejection: ${String(reason)}`));

function numberOf(name: 'seconds' | 'seed', atLeast: number): number {
  const number = Number(values[name]);
  if (Number.isSafeInteger(number) && number >= atLeast) return number;
  say(`--${name} must be a whole number from ${String(atLeast)}; it is ${values[name]}`);
  process.exit(2);
}

function partsNamed(): string[] {
  const unknown = positionals.filter((name) => PARTS[name] === undefined);
  if (unknown.length === 0) return positionals.length > 0 ? positionals : [...PART_NAMES];
  say(`there is no part ${unknown.join(', ')}; there are ${PART_NAMES.join(', ')}`);
  process.exit(2);
}

async function replay(file: string): Promise<boolean> {
  const { part: name, input } = JSON.parse(readFileSync(file, 'utf8')) as Fault;
  const part = PARTS[name];
  if (part === undefined || input === undefined) throw new Error(`${file} is no reproduction of a part`);
  const open = await part.open();
  const problems = await problemsOf(open, input);
  await open.close();
  say(problems.length === 0 ? `${name}: nothing is wrong with it any more` : problems.join('\n'));
  return problems.length === 0;
}

function tell(fault: Fault): void {
  say(`${fault.part}: seed ${String(fault.seed)}: ${fault.problems.join('\n  ')}`);
  if (fault.input === undefined) return;
  const file = join(tmpdir(), `inorder-fuzz-${fault.part}-${String(fault.seed)}.json`);
  writeFileSync(file, `${JSON.stringify(fault, null, 2)}\n`);
  say(`  npm run fuzz -- --replay ${file}`);
}

async function play(names: string[]): Promise<boolean> {
  const seconds = numberOf('seconds', 1);
  const seed = numberOf('seed', 0);
  const parts: Record<string, { tried: number; faults: number }> = {};
  for (const name of names) {
    const part = PARTS[name] as (typeof PARTS)[string];
    say(`${name}: ${String(seconds)} s from seed ${String(seed)}`);
    const played: PlayedPart = await playPart(part, { seconds, seed });
    for (const problem of unheard.splice(0))
      played.faults.push({ part: part.name, seed, problems: [problem] });
    for (const fault of played.faults) tell(fault);
    parts[name] = { tried: played.tried, faults: played.faults.length };
    say(`${name}: ${String(played.tried)} tried, ${String(played.faults.length)} faults`);
  }
  if (values.json) process.stdout.write(`${JSON.stringify({ seed, seconds, parts })}\n`);
  return Object.values(parts).every(({ faults }) => faults === 0);
}

const isGood = values.replay === undefined ? await play(partsNamed()) : await replay(values.replay);
process.exitCode = isGood ? 0 : 1;
