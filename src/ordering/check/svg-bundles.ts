/**
 * The steps of a machine, gathered for a drawing: steps that lead to the same status by the same types enter it as
 * one arrow, however many statuses they come from. And in which layer each status stands: how many steps it is from
 * the first one. A step never leads over more than one layer ahead, since layers go by the shortest way.
 */
import type { Machine } from '../machine.ts';
import { stepsOf } from './steps.ts';

export interface Bundle {
  to: string;
  /** Where it enters: on the left from the layer before, on the right from its own layer and later ones. */
  side: 'left' | 'right';
  labels: string[];
  sources: string[];
  isBack: boolean;
  isDeadline: boolean;
}

export function layersOf(machine: Machine): Map<string, number> {
  const layers = new Map([[machine.initial, 0]]);
  const steps = stepsOf(machine);
  for (let depth = 0; [...layers.values()].includes(depth); depth++)
    for (const { from, to } of steps)
      if (layers.get(from) === depth && !layers.has(to)) layers.set(to, depth + 1);
  const beyond = Math.max(...layers.values()) + 1;
  for (const status of Object.keys(machine.statuses)) if (!layers.has(status)) layers.set(status, beyond);
  return layers;
}

export function bundlesOf(machine: Machine, layers: ReadonlyMap<string, number>): Bundle[] {
  const byLabel = new Map<string, Bundle>();
  for (const { from, to, label, isBack, isDeadline } of stepsOf(machine)) {
    const side = layerOf(layers, from) < layerOf(layers, to) ? 'left' : 'right';
    const key = JSON.stringify([to, side, label]);
    const known = byLabel.get(key);
    if (known !== undefined) known.sources.push(from);
    else byLabel.set(key, { to, side, labels: [label], sources: [from], isBack, isDeadline });
  }
  // Types that lead from the same statuses to the same one share an arrow.
  const bundles = new Map<string, Bundle>();
  for (const bundle of byLabel.values()) {
    const key = JSON.stringify([bundle.to, bundle.side, bundle.isBack, bundle.isDeadline, bundle.sources]);
    const known = bundles.get(key);
    if (known === undefined) bundles.set(key, bundle);
    else known.labels.push(...bundle.labels);
  }
  return [...bundles.values()];
}

export const layerOf = (layers: ReadonlyMap<string, number>, status: string): number =>
  layers.get(status) ?? 0;
