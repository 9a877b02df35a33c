/**
 * The order workflow as Temporal's sandbox runs it: one bundle of `workflows/order.ts` and what it imports. Made
 * once per process, because it costs seconds; from source in a checkout, from the compiled files in the package.
 */
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';
import type { WorkflowBundleWithSourceMap } from '@temporalio/worker';
import type { Log } from '../log.ts';
import { asTemporalLogger } from './runtime.ts';

const bundles = new Map<string, Promise<WorkflowBundleWithSourceMap>>();

export function orderWorkflowPath(): string {
  const here = fileURLToPath(import.meta.url);
  return fileURLToPath(new URL(`../../workflows/order${extname(here)}`, import.meta.url));
}

export function bundleWorkflows(
  log: Log,
  workflowsPath = orderWorkflowPath(),
): Promise<WorkflowBundleWithSourceMap> {
  const known = bundles.get(workflowsPath);
  if (known) return known;
  const bundle = bundleWorkflowCode({ workflowsPath, logger: asTemporalLogger(log) });
  bundles.set(workflowsPath, bundle);
  return bundle;
}
