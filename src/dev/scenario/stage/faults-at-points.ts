/** The faults of a story, each carried out at the point that it names, as often as it says. */
import type { Arrival } from '../../crash-points.ts';
import type { ProcessName, ScenarioFault } from '../format/scenario.ts';

export type CarryOut = (fault: ScenarioFault, target: ProcessName, number: number) => Promise<void>;

export class FaultsAtPoints {
  readonly #faults: readonly ScenarioFault[];
  readonly #carryOut: CarryOut;
  readonly #left: number[];

  constructor(faults: readonly ScenarioFault[], carryOut: CarryOut) {
    this.#faults = faults;
    this.#carryOut = carryOut;
    this.#left = faults.map(({ times = 1 }) => times);
  }

  async arrive({ process, number, point }: Arrival): Promise<void> {
    for (const [index, fault] of this.#faults.entries()) {
      const target = fault.kill ?? fault.freeze;
      const left = this.#left[index] ?? 0;
      if (target === undefined || fault.at !== point || left === 0) continue;
      this.#left[index] = left - 1;
      await this.#carryOut(fault, target, target === process ? number : 1);
    }
  }

  /** Places of faults to which nothing came as often as they say. */
  missed(): number[] {
    return [...this.#left.entries()].flatMap(([index, times]) => (times > 0 ? [index] : []));
  }
}
