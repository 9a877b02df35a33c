import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { commandFile } from '../command.ts';
import { setup } from '../setup.ts';
import { runCli } from './run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'inorder-stories-'));
afterAll(() => rmSync(folder, { recursive: true }));

const STORY = `name: paid, and paid once
order: '1042'
sources: { payments: { provider: sandbox, first: '1' } }
deliveries:
  - { source: payments, event: p1, type: payment.captured, object: pi_1, version: 1, copies: 2 }
expect:
  order: { status: paid, attention: [] }
  effects: { fulfil: 1 }
`;

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

it('plays stories beside each other, tells of each, and of what differs at its line with what happened', async () => {
  const { mysqlUrl, temporalAddress } = await setup();
  const env = { MYSQL_URL: mysqlUrl, TEMPORAL_ADDRESS: temporalAddress };
  const right = write('right.yaml', STORY);
  const wrong = write(
    'wrong.yaml',
    STORY.replace('fulfil: 1', 'fulfil: 2').replace('paid,', 'wrongly paid,'),
  );
  const unread = write('unread.yaml', STORY.replace('copies', 'copys'));

  const { code, stdout } = await runCli(['scenario', 'run', folder], { env });
  expect(code).toBe(1);
  expect(stdout).toMatch(/✓ paid, and paid once \(/);
  expect(stdout).toMatch(
    /✗ wrongly paid, and paid once[^\n]*\n +\S*wrong\.yaml:8 +expect\.effects\.fulfil\n +expected +done 2 times\n +came out +done once\n/,
  );
  expect(stdout).toMatch(
    /What happened to order 1042\n +AFTER +EVENT .*\n +0\.00 s +p1 +payments\/payment:pi_1 +1 +payment\.captured +applied +new → paid/,
  );
  expect(stdout).toMatch(
    /unread\.yaml:5:86 +deliveries\[0\]\.copys is not known here\. Did you mean 'copies'\?/,
  );
  expect(stdout).toContain('1 story right, 2 wrong.');

  const json = await runCli(['scenario', 'run', '--json', right, wrong, unread], { env });
  expect(json.code).toBe(1);
  const results = json.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(results.find(({ name }) => name === 'paid, and paid once')).toMatchObject({ ok: true, diffs: [] });
  expect(results.find(({ name }) => name === 'wrongly paid, and paid once')).toMatchObject({
    ok: false,
    diffs: [{ path: 'expect.effects.fulfil', line: 8, expected: 'done 2 times', actual: 'done once' }],
  });
  expect(results.find(({ name }) => name === 'unread.yaml')).toMatchObject({ ok: false });
}, 120_000);

it('starts nothing for what cannot be read, and says what a field of a source must be', async () => {
  const file = write('wrong-source.yaml', STORY.replace("first: '1'", 'contract: sequenc, gapTimout: 1s'));
  const { code, stdout, stderr } = await runCli(['scenario', 'run', file]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(stdout).toMatch(/wrong-source\.yaml:3:43 +sources\.payments\.contract must be 'sequence' or/);
  expect(stdout).toMatch(
    /wrong-source\.yaml:3:62 +sources\.payments\.gapTimout is not known here\. Did you mean 'gapTimeout'\?/,
  );
});

it('names what is not there', async () => {
  const { code, stderr } = await runCli(['scenario', 'run', 'no-such-folder']);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'inorder: There is no file or folder no-such-folder. [usage]\n',
  });
});

it('keeps what receivers and workers of a wrong story warned of, and says where', async () => {
  const { mysqlUrl, temporalAddress } = await setup();
  const uncertain = STORY.replace(
    'deliveries:',
    "effects: { sendReceipt: { doesAndIsSilent: 1, keyTtl: '0s' } }\ndeliveries:",
  );
  const right = write('warns-right.yaml', uncertain.replace('attention: []', 'attention: [effect]'));
  const wrong = write('warns-wrong.yaml', uncertain);
  const { stdout } = await runCli(['scenario', 'run', '--json', right, wrong], {
    env: { MYSQL_URL: mysqlUrl, TEMPORAL_ADDRESS: temporalAddress },
  });
  const logs = new Map(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { file: string; log: string | null })
      .map(({ file, log }) => [basename(file), log]),
  );
  const log = join('.inorder', 'stories', 'warns-wrong.log');
  expect(logs).toEqual(
    new Map([
      ['warns-right.yaml', null],
      ['warns-wrong.yaml', log],
    ]),
  );
  expect(readFileSync(log, 'utf8')).toMatch(/"component":"worker".*"msg":"effect needs a person"}\n/);
  expect(existsSync(log.replace('wrong', 'right'))).toBe(false);
}, 120_000);

it('ends with 130 at Ctrl-C, cuts off what waits, and says that it was not played to the end', async () => {
  const { mysqlUrl, temporalAddress } = await setup();
  const never = write(
    'never.yaml',
    STORY.replace('expect:', '  - { until: { status: refunded }, within: 10m }\nexpect:'),
  );
  const child = spawn(process.execPath, [commandFile(), 'scenario', 'run', never], {
    env: { PATH: process.env['PATH'] ?? '', MYSQL_URL: mysqlUrl, TEMPORAL_ADDRESS: temporalAddress },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    const isFirst = !stderr.includes(' until ');
    stderr += text;
    if (isFirst && stderr.includes(' until ')) child.kill('SIGINT');
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(code).toBe(130);
  expect(stderr).toMatch(/0 of 1 story played; never\.yaml at step 2 of 2, until \{"status":"refunded"\}\n/);
  expect(stderr).toMatch(/stopping …\n$/);
  expect(stdout).toBe('\n0 stories right, 0 wrong, 1 not played to the end.\n');
}, 120_000);
