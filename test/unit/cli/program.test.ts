import { CommanderError } from 'commander';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProgram } from '../../../src/cli/program.ts';

const COMMANDS = [
  'demo',
  'dev',
  'receiver',
  'worker',
  'migrate',
  'machine',
  'config',
  'orders',
  'events',
  'effects',
];

let stdout = '';
let stderr = '';
beforeEach(() => {
  stdout = '';
  stderr = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((stdout += String(text))));
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((stderr += String(text))));
});
afterEach(() => vi.restoreAllMocks());

/** The exit code that commander asks for; the entry turns each but 0 into 2. */
async function run(args: string[]): Promise<number> {
  try {
    await createProgram().parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    throw error;
  }
  throw new Error('the command ran');
}

describe('help', () => {
  it('begins with examples and names every command', async () => {
    expect(await run(['--help'])).toBe(0);
    expect(stdout).toMatch(/^Examples:\n {2}inorder demo/);
    for (const command of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
    expect(stderr).toBe('');
  });

  it.each([
    ...COMMANDS.map((command) => [command]),
    ['machine', 'draw'],
    ['config', 'show'],
    ['orders', 'show'],
    ['events', 'list'],
    ['events', 'link'],
    ['effects', 'list'],
    ['effects', 'retry'],
    ['effects', 'confirm'],
    ['effects', 'skip'],
  ])('is there for %s %s', async (...words) => {
    const path = words.filter((word) => word !== undefined);
    expect(await run([...path, '--help'])).toBe(0);
    expect(stdout).toContain(`Usage: inorder ${path.join(' ')}`);
  });
});

describe('a usage error', () => {
  it.each<[string[], RegExp]>([
    [['ordres'], /unknown command 'ordres'[\s\S]*Did you mean orders\?/],
    [['orders', 'shwo', '1'], /unknown command 'shwo'[\s\S]*Did you mean show\?/],
    [['orders', 'list', '--statsu', 'x'], /unknown option '--statsu'[\s\S]*Did you mean --status\?/],
    [['orders', 'show'], /missing required argument 'order'/],
    [['orders', 'show', '1', '2'], /too many arguments/],
    [['orders', 'list', '--limit', 'many'], /whole number from 1 to 10000/],
    [['orders', 'list', '--attention', 'urgent'], /Allowed choices are any, gap/],
    [['effects', 'retry', 'k'], /required option '--reason <text>'/],
    [['effects', 'list', '--state', 'faild'], /There is no state 'faild'[\s\S]*Did you mean 'failed'\?/],
    [['effects', 'confirm', '--state', 'done'], /cannot be done to effects that are 'done'/],
    [['effects', 'list', '--older-than', '5'], /a duration with a unit/],
    [['events', 'link', 'evt_1', '--reason', 'r'], /required option '--order <id>'/],
    [['events', 'link', 'evt_1', '--order', '1'], /required option '--reason <text>'/],
    [['events', 'list', '--outcome', 'lost'], /Allowed choices are waiting, applied/],
    [['events', 'list', '--since', 'yesterday'], /how long ago/],
    [['events', 'list', '--since', '2026-12-01T00:00:00'], /an instant with a zone/],
    [['machine', 'draw', '--format', 'png'], /Allowed choices are table, mermaid/],
    [['demo', '--orders', '0'], /whole number from 1 to 100000/],
    [['machine'], /Usage: inorder machine/],
    [[], /Usage: inorder/],
  ])('%j says what was meant, and where help is', async (args, message) => {
    expect(await run(args)).not.toBe(0);
    expect(stderr).toMatch(message);
    expect(stdout).toBe('');
  });
});
