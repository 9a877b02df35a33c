/** The workflows' code: as it is, and over a core with a changed rule. */
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

const workflowsPath = fileURLToPath(new URL('../../workflows/workflows.ts', import.meta.url));
const loader = fileURLToPath(new URL('changed-rule-loader.cjs', import.meta.url));

const bundles = new Map<boolean, Promise<{ code: string }>>();

export function workflowCode({ changedRule = false } = {}): Promise<{ code: string }> {
  let bundle = bundles.get(changedRule);
  if (bundle === undefined) {
    bundle = bundleWorkflowCode({
      workflowsPath,
      logger: new DefaultLogger('WARN'),
      webpackConfigHook: (config) => {
        if (changedRule)
          config.module?.rules?.push({ test: /ordering[\\/]table\.ts$/, enforce: 'pre', use: [{ loader }] });
        return config;
      },
    });
    bundles.set(changedRule, bundle);
  }
  return bundle;
}
