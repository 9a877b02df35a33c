/** Draws the steps of a machine as a Mermaid state diagram; ignores, stays and reviews are in the text table. */
import { formatDuration } from '../format-duration.ts';
import type { Machine } from '../machine.ts';
import { cellOf } from '../table.ts';

export function drawMermaid(machine: Machine): string {
  const labels = new Map<string, Set<string>>();
  const add = (from: string, to: string, label: string): void => {
    const edge = `${from} --> ${to}`;
    labels.set(edge, (labels.get(edge) ?? new Set()).add(label));
  };
  for (const status of Object.keys(machine.statuses)) {
    for (const type of Object.keys(machine.on)) {
      const own = cellOf(machine, status, type, true);
      const other = cellOf(machine, status, type, false);
      const both = own.kind === 'step' && other.kind === 'step' && own.status === other.status;
      const deadline = machine.statuses[status]?.deadline;
      const late = deadline?.type === type ? ` after ${formatDuration(deadline.afterMs)}` : '';
      if (own.kind === 'step') add(status, own.status, `${type}${late}${both ? '' : ' (own)'}`);
      if (other.kind === 'step' && !both) add(status, other.status, `${type}${late} (other)`);
    }
  }
  const edges = [...labels].map(([edge, types]) => `  ${edge}: ${[...types].join('<br>')}`);
  return ['stateDiagram-v2', `  [*] --> ${machine.initial}`, ...edges, ''].join('\n');
}
