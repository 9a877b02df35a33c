/** The package as it would be installed, made once for a run: what tests start as processes starts sooner from there. */
import { execFile } from 'node:child_process';
import { cp, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ownDirectory } from '../../src/dev/services/owned-directory.ts';
import { makeTemporaryDirectory } from '../../src/dev/services/temporary-directory.ts';

/** The folder that stands for `node_modules/inorder`; what a killed run leaves, the next one removes. */
export async function buildCommand(): Promise<string> {
  const installed = await makeTemporaryDirectory('built');
  await ownDirectory(installed);
  await promisify(execFile)(process.execPath, [
    ...['--import', 'tsx', 'src/dev/build.ts'],
    join(installed, 'dist'),
  ]);
  await cp('package.json', join(installed, 'package.json'));
  await cp('bin', join(installed, 'bin'), { recursive: true });
  await symlink(resolve('node_modules'), join(installed, 'node_modules'));
  return installed;
}
