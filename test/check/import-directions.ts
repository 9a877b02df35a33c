/**
 * Who may import whom. The rooms of the house are in the order a webhook passes them (ARCHITECTURE.md); these
 * are the doors that stay shut, because a workflow that imports the store cannot be replayed, and a rule that
 * reads a clock cannot be checked.
 */
import { posix } from 'node:path';
import type { Check, Tree } from './check.ts';

interface Rule {
  from: RegExp;
  /** What may be imported; everything else is refused. */
  only?: RegExp;
  never?: RegExp;
  /** Whether `import type` is free: a type is gone before the code runs. */
  areTypesFree: boolean;
  reason: string;
}

const RULES: Rule[] = [
  {
    from: /^src\/ordering\//,
    only: /^src\/ordering\//,
    areTypesFree: false,
    reason: 'src/ordering is pure: it imports nothing but itself',
  },
  {
    from: /^workflows\//,
    only: /^(workflows\/|src\/ordering\/|@temporalio\/(workflow|common)$)/,
    areTypesFree: true,
    reason:
      'workflows/ imports only src/ordering and types: all else is not there when a history is replayed',
  },
  {
    from: /^src\/providers\//,
    never: /^src\/(store|receiver|dispatch|temporal|cli|processes|operations)\//,
    areTypesFree: false,
    reason: 'src/providers turns bytes into events and knows nothing of the store or of what follows',
  },
  {
    from: /^src\/store\//,
    never:
      /^(src\/(receiver|dispatch|temporal|cli|processes|providers|operations)\/|activities\/|workflows\/)/,
    areTypesFree: true,
    reason: 'src/store is statements: it knows none of those that use it',
  },
  {
    from: /^src\/dev\/sandbox\//,
    never: /^src\/ordering\//,
    areTypesFree: false,
    reason: 'the sandbox keeps its truth by its own few lines, or it would prove nothing',
  },
  {
    from: /^console\//,
    never: /^(src|workflows|activities)\//,
    areTypesFree: false,
    reason: 'console/ runs in a browser: it speaks to the API and imports no server code',
  },
  {
    from: /^(src\/(?!dev\/|cli\/)|workflows\/|activities\/)/,
    never: /^(src\/dev\/|test\/|bench\/)/,
    areTypesFree: false,
    reason: 'what runs in production does not import what is for development',
  },
];

interface Import {
  specifier: string;
  isType: boolean;
}

export const importDirections: Check = {
  name: 'import directions',
  remedy: 'Move what is shared to the room that both may enter, or hand it in as a dependency.',
  findProblems: (tree: Tree) =>
    tree.files
      .filter((file) => /\.(ts|tsx|js)$/.test(file))
      .flatMap((file) => findForbiddenImports(file, tree.read(file))),
};

export function findForbiddenImports(file: string, text: string): string[] {
  const rules = RULES.filter((rule) => rule.from.test(file));
  if (rules.length === 0) return [];
  return findImports(text).flatMap(({ specifier, isType }) => {
    const target = specifier.startsWith('.')
      ? posix.normalize(posix.join(posix.dirname(file), specifier))
      : specifier;
    return rules
      .filter((rule) => !(isType && rule.areTypesFree))
      .filter((rule) => rule.only?.test(target) === false || rule.never?.test(target) === true)
      .map((rule) => `${file} imports ${specifier}: ${rule.reason}`);
  });
}

const STATEMENT = /^[ \t]*(import|export)\b([^;'"]*?)\bfrom\s*['"]([^'"]+)['"]/gm;
const BARE_OR_DYNAMIC = /(?:^[ \t]*import\s*|\bimport\(\s*|\brequire\(\s*)['"]([^'"]+)['"]/gm;

export function findImports(text: string): Import[] {
  const statements = [...text.matchAll(STATEMENT)].map(([, , clause = '', specifier = '']) => ({
    specifier,
    isType: /^\s*type\b/.test(clause),
  }));
  const others = [...text.matchAll(BARE_OR_DYNAMIC)].map(([, specifier = '']) => ({
    specifier,
    isType: false,
  }));
  return [...statements, ...others];
}
