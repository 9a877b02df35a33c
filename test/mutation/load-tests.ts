/** Loads test files in this process, their `vitest` and `fast-check` replaced; again and again, if need be. */
import { createServer, createServerModuleRunner } from 'vite';
import type { Plugin } from 'vite';
import { fewerRuns } from './fewer-runs.ts';
import { newCollection } from './collect.ts';
import type { Collected, Collection } from './collect.ts';

/** Under this name the replacements are found by the modules that stand for the packages. */
const SHARED = Symbol.for('inorder.mutation');

interface Shared {
  vitest: Collection['words'];
  fastCheck: ReturnType<typeof fewerRuns>;
}

const REPLACED: Record<string, string> = {
  vitest: `export const { describe, expect, it, test } = globalThis[Symbol.for('inorder.mutation')].vitest;`,
  'fast-check': `export default globalThis[Symbol.for('inorder.mutation')].fastCheck;`,
};

const replacements: Plugin = {
  name: 'replacements',
  enforce: 'pre',
  resolveId: (name) => (name in REPLACED ? `\0${name}` : null),
  load: (id) => (id.startsWith('\0') ? (REPLACED[id.slice(1)] ?? null) : null),
};

export interface TestLoader {
  /** The tests of all files, of a world that nothing was done to yet. */
  load(): Promise<Collected[]>;
  close(): Promise<void>;
}

/** `share`: of a property's runs, so many are made (1: all). */
export async function startTestLoader(root: string, files: string[], share: number): Promise<TestLoader> {
  const server = await createServer({
    configFile: false,
    root,
    appType: 'custom',
    logLevel: 'error',
    optimizeDeps: { noDiscovery: true },
    plugins: [replacements],
    // What is replaced is not left to Node, as packages are.
    ssr: { noExternal: Object.keys(REPLACED) },
    resolve: {
      alias: [
        { find: /^inorder$/, replacement: `${root}/src/index.ts` },
        { find: /^inorder\/provider$/, replacement: `${root}/src/provider.ts` },
      ],
    },
    server: { middlewareMode: true, watch: null, hmr: false, ws: false },
  });
  const runner = createServerModuleRunner(server.environments.ssr, { hmr: false });

  return {
    async load() {
      runner.clearCache();
      const collection = newCollection();
      const shared: Shared = { vitest: collection.words, fastCheck: fewerRuns(share) };
      (globalThis as Record<symbol, unknown>)[SHARED] = shared;
      for (const file of files) await collection.within(file, () => runner.import(`${root}/${file}`));
      return collection.tests;
    },
    async close() {
      await runner.close();
      await server.close();
    },
  };
}
