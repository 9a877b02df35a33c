/**
 * `npm run build`: what a package holds. The sources as JavaScript, the bundle that workers run orders with, and beside
 * them the files that are read and not imported. The folder may be another one than dist/, for a test of what was built.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLog } from '../log.ts';
import { BUILT_BUNDLE, bundleWorkflows } from '../temporal/workflow-bundle.ts';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
// The demo's configuration is loaded as a team's is, and templates are copied: as they were written.
const COPIED = ['src/store/migrations', 'src/init/templates', 'machines', 'inorder.config.ts', 'bin'];

const folder = process.argv[2] ?? join(PROJECT, 'dist');
rmSync(folder, { recursive: true, force: true });
execFileSync(
  process.execPath,
  [
    join(PROJECT, 'node_modules/typescript/bin/tsc'),
    '-p',
    join(PROJECT, 'tsconfig.build.json'),
    '--outDir',
    folder,
  ],
  { stdio: 'inherit' },
);
const { code } = await bundleWorkflows(createLog('warn', 'build'));
writeFileSync(join(folder, BUILT_BUNDLE), code);
for (const path of COPIED) cpSync(join(PROJECT, path), join(folder, path), { recursive: true });
