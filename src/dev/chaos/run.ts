/** Which run: all that a person says to have it again. */
import type { FaultKind } from './fault.ts';

export interface ChaosRun {
  seed: number;
  minutes: number;
  orders: number;
  /** Kinds of faults; null: all. */
  only: readonly FaultKind[] | null;
}

export function commandOf({ seed, minutes, orders, only }: ChaosRun): string {
  const kinds = only === null ? '' : ` --only ${only.join(',')}`;
  return `npm run chaos -- --minutes ${minutes} --seed ${seed} --orders ${orders}${kinds}`;
}
