/** All that a worker runs. */
export { order } from './order.ts';
export { reconcileSource } from './reconcile-source.ts';
