/** All files of a new project and what stands in them. Writes nothing. */
import { basename, resolve } from 'node:path';
import type { Answers } from './answers.ts';
import { envFile } from './env-file.ts';
import type { FoundPackage } from './find-package.ts';
import type { FilledTemplates } from './templates.ts';

export interface ProjectFile {
  path: string;
  text: string;
  /**
   * What happens to one that is there: `refuse` unless the caller forces it; `keep`, because it is the team's;
   * `add` what is missing, because what is there cannot be made again.
   */
  ifThere: 'refuse' | 'keep' | 'add';
  /** For `add`: what is missing of what is there. */
  missingOf?: (there: string) => string;
  mode?: number;
}

export function projectFiles(
  directory: string,
  { answers, templates, found }: { answers: Answers; templates: FilledTemplates; found: FoundPackage },
): ProjectFile[] {
  return [
    { path: 'inorder.config.ts', text: templates.config, ifThere: 'refuse' },
    { path: 'machines/order.ts', text: templates.machine, ifThere: 'refuse' },
    {
      path: '.env',
      text: envFile(answers),
      ifThere: 'add',
      missingOf: (there) => envFile(answers, there),
      mode: 0o600,
    },
    {
      path: '.gitignore',
      text: IGNORED.map((line) => `${line}\n`).join(''),
      ifThere: 'add',
      missingOf: (there) => missingLines(there),
    },
    { path: 'package.json', text: toText(packageJson(directory, found)), ifThere: 'keep' },
    { path: 'tsconfig.json', text: toText(tsconfig(found)), ifThere: 'keep' },
  ];
}

const IGNORED = ['.env', '.inorder/', 'node_modules/'];

function missingLines(there: string): string {
  const lines = new Set(
    there.split(/\r?\n/).map((line) => line.trim().replace(/^\//, '').replace(/\/$/, '')),
  );
  const missing = IGNORED.filter((line) => !lines.has(line.replace(/\/$/, '')));
  if (missing.length === 0) return '';
  return `${there === '' || there.endsWith('\n') ? '' : '\n'}${missing.map((line) => `${line}\n`).join('')}`;
}

function packageJson(directory: string, found: FoundPackage): Record<string, unknown> {
  const name = basename(resolve(directory))
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return {
    // Its own name would stand in the way of what it depends on.
    name: name === '' || name === 'inorder' ? 'inorder-project' : name,
    private: true,
    type: 'module',
    ...(found.kind === 'checkout' ? { dependencies: { inorder: `file:${found.path}` } } : {}),
  };
}

/** For the editor; the configuration is loaded as it is, without a build. */
function tsconfig(found: FoundPackage): Record<string, unknown> {
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2023'],
    // Whatever the type of the package is.
    module: 'preserve',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [] as string[],
  };
  const include = ['inorder.config.ts', 'machines'];
  if (found.kind !== 'checkout') return { compilerOptions, include };
  // A checkout has its sources and nothing built.
  return {
    compilerOptions: {
      ...compilerOptions,
      types: ['node'],
      typeRoots: [`${found.path}/node_modules/@types`],
      paths: { inorder: [`${found.path}/src/index.ts`] },
    },
    include,
  };
}

const toText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
