/**
 * `npm run check`: everything about a change that needs no server, one line each. Exit status 1 if anything is
 * wrong. `--write` first mends what a tool can: format and written tables.
 */
import { execFileSync } from 'node:child_process';
import pc from 'picocolors';
import { architecture } from './architecture.ts';
import type { Check } from './check.ts';
import { configurationFields } from './config-fields.ts';
import { documentedCommands } from './documented-commands.ts';
import { drawnMachine, writeDrawnMachines } from './drawn-machine.ts';
import { environmentTable, writeEnvironmentTable } from './environment-table.ts';
import { fileSize } from './file-size.ts';
import { importDirections } from './import-directions.ts';
import { machinePaths } from './machine-paths.ts';
import { requirementRows } from './requirement-rows.ts';
import { toolCheck } from './run-tool.ts';
import { sqlWords } from './sql-words.ts';
import { readTree } from './tree.ts';

const MAX_SHOWN = 40;

/** What has not changed since it was last seen well formatted is not looked at again. */
const PRETTIER = ['--cache', '--cache-strategy=content', '--cache-location=.inorder/prettier.json'];

const CHECKS: Check[] = [
  toolCheck('format', '`npm run check -- --write` formats.', ['prettier', '--check', ...PRETTIER, '.']),
  toolCheck('types', 'tsc says what does not fit.', ['tsc', '-p', '.']),
  toolCheck('lint', 'Mend it; an exception needs a comment that says why, beside it.', [
    'oxlint',
    '--deny-warnings',
    '--format=unix',
  ]),
  toolCheck('dead code', 'Remove what nobody uses: files, exports, dependencies.', ['knip', '--no-progress']),
  importDirections,
  sqlWords,
  fileSize,
  machinePaths,
  requirementRows,
  architecture,
  environmentTable,
  configurationFields,
  drawnMachine,
  documentedCommands,
];

const tree = readTree();
if (process.argv.includes('--write')) {
  if (tree.files.includes('docs/configuration.md')) writeEnvironmentTable(tree.read('docs/configuration.md'));
  writeDrawnMachines(tree);
  execFileSync('node_modules/.bin/prettier', ['--write', ...PRETTIER, '--log-level', 'warn', '.'], {
    stdio: 'inherit',
  });
}

let failed = 0;
for (const check of CHECKS) {
  const startedAt = performance.now();
  const problems = await check.findProblems(tree);
  const seconds = `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
  if (problems.length === 0) {
    console.log(`${pc.green('ok')}      ${check.name} ${pc.dim(seconds)}`);
    continue;
  }
  failed += 1;
  console.log(`${pc.red('failed')}  ${check.name} ${pc.dim(seconds)}`);
  for (const problem of problems.slice(0, MAX_SHOWN)) console.log(problem.replaceAll(/^/gm, '          '));
  if (problems.length > MAX_SHOWN) console.log(`          … and ${problems.length - MAX_SHOWN} more`);
  console.log(pc.yellow(`        → ${check.remedy}`));
}
console.log(failed === 0 ? `${CHECKS.length} checks, all ok` : `${CHECKS.length} checks, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
