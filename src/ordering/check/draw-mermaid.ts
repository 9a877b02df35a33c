/** Draws the steps of a machine as a Mermaid state diagram. */
import type { Machine } from '../machine.ts';
import { stepsOf } from './steps.ts';

export function drawMermaid(machine: Machine): string {
  const labels = new Map<string, Set<string>>();
  for (const { from, to, label } of stepsOf(machine)) {
    const edge = `${from} --> ${to}`;
    labels.set(edge, (labels.get(edge) ?? new Set()).add(label));
  }
  const edges = [...labels].map(([edge, types]) => `  ${edge}: ${[...types].join('<br>')}`);
  return ['stateDiagram-v2', `  [*] --> ${machine.initial}`, ...edges, ''].join('\n');
}
