/** The steps of a machine one by one, as drawings show them; ignores, stays and reviews are in the text table. */
import { formatDuration } from '../format-duration.ts';
import type { Machine } from '../machine.ts';
import { cellOf } from '../table.ts';

export interface Step {
  from: string;
  to: string;
  type: string;
  /** The type, how long its deadline is, and whose payment alone takes it. */
  label: string;
  /** Of a type that the machine names under `stepsBack`. */
  isBack: boolean;
  isDeadline: boolean;
}

/** Status by status, and within one type by type, as they are written. */
export function stepsOf(machine: Machine): Step[] {
  const steps: Step[] = [];
  for (const [from, { deadline }] of Object.entries(machine.statuses))
    for (const type of Object.keys(machine.on)) {
      const own = cellOf(machine, from, type, true);
      const other = cellOf(machine, from, type, false);
      const isDeadline = deadline?.type === type;
      const name = isDeadline ? `${type} after ${formatDuration(deadline.afterMs)}` : type;
      const add = (to: string, whose: string): void => {
        const isBack = machine.stepsBack.includes(type);
        steps.push({ from, to, type, label: `${name}${whose}`, isBack, isDeadline });
      };
      const both = own.kind === 'step' && other.kind === 'step' && own.status === other.status;
      if (own.kind === 'step') add(own.status, both ? '' : ' (own)');
      if (other.kind === 'step' && !both) add(other.status, ' (other)');
    }
  return steps;
}
