/**
 * How `import … from 'inorder'` and `npx inorder` find this very program from a new folder: a package that is
 * installed there or above it is found; a checkout has to be named as a dependency.
 */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of our package.json: two up in a checkout, three in what was built. */
const PACKAGE = realpathSync(
  fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../../' : '../../../', import.meta.url)),
);

export type FoundPackage =
  | { kind: 'installed' }
  /** `path`: of the checkout, as the new folder names it. */
  | { kind: 'checkout'; path: string }
  /** It runs from somewhere else, such as npx's cache, where nothing may point to. */
  | { kind: 'elsewhere' };

export function findPackage(directory: string): FoundPackage {
  for (let at = resolve(directory); ; at = dirname(at)) {
    const candidate = join(at, 'node_modules', 'inorder');
    if (existsSync(candidate) && realpathSync(candidate) === PACKAGE) return { kind: 'installed' };
    if (at === dirname(at)) break;
  }
  if (!existsSync(join(PACKAGE, 'src/cli/main.ts'))) return { kind: 'elsewhere' };
  const path = relative(realpathOf(directory), PACKAGE).split(sep).join('/');
  return { kind: 'checkout', path: path.startsWith('.') ? path : `./${path}` };
}

/** Of a folder that may not be there yet. */
function realpathOf(directory: string): string {
  const path = resolve(directory);
  if (existsSync(path)) return realpathSync(path);
  return join(realpathOf(dirname(path)), relative(dirname(path), path));
}
