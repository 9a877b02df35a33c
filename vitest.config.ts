import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** These put another module in a module's place, which is nobody else's to meet. */
const OWN_MODULES = ['test/integration/dev/services/port-race.test.ts'];

export default defineConfig({
  // Machines and configurations import `inorder`, as a team's do.
  resolve: {
    alias: [
      { find: /^inorder$/, replacement: fileURLToPath(new URL('src/index.ts', import.meta.url)) },
      {
        find: /^inorder\/provider$/,
        replacement: fileURLToPath(new URL('src/provider.ts', import.meta.url)),
      },
    ],
  },
  test: {
    // Each fork holds a Temporal worker and pools of connections: more of them than cores only wait for each other.
    pool: 'forks',
    maxWorkers: 2,
    // A test's world is what it makes itself; the code it is made of is loaded once per fork and not once per file.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          // Generous, since a machine may be busy with other things; nothing here waits for time.
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['test/{integration,scenarios,replay,chaos,browser}/**/*.test.ts'],
          exclude: OWN_MODULES,
          globalSetup: ['test/integration/start-services.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: { name: 'own modules', include: OWN_MODULES, isolate: true, testTimeout: 60_000 },
      },
    ],
  },
});
