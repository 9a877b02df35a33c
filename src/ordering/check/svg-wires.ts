/**
 * The lines of one bundle: from each source straight to the bundle's track, where they join, and along it to the port
 * where it enters. Nothing is drawn twice, or dashes would lie on dashes.
 */
import type { Bundle } from './svg-bundles.ts';
import { boxOf, portOf } from './svg-layout.ts';
import type { Layout } from './svg-layout.ts';

export type Point = readonly [x: number, y: number];

const RADIUS = 6;

export interface Wires {
  /** Where it enters its status. */
  end: Point;
  /** As `d` of paths. */
  paths: string[];
}

export function wiresOf(bundle: Bundle, { boxes, tracks, lanes }: Layout): Wires {
  const to = boxOf(boxes, bundle.to);
  const entryX = bundle.side === 'left' ? to.x : to.x + to.width;
  const end: Point = [entryX, portOf(boxes, bundle.to, bundle, true).y];
  const own = tracks.filter((track) => track.bundle === bundle);
  const farLayers = new Set(own.flatMap(({ far }) => far ?? []));
  const paths: string[] = [];
  const tips: Point[] = [];
  const farTips: Point[] = [];
  for (const source of bundle.sources) {
    const { layer, x, width } = boxOf(boxes, source);
    const port = portOf(boxes, source, bundle, false);
    const tip: Point = [port.side === 'left' ? x : x + width, port.y];
    (farLayers.has(layer) && layer > to.layer + 1 ? farTips : tips).push(tip);
  }
  const lane = lanes.get(bundle);
  for (const track of own.filter(({ far }) => far !== null)) {
    const turn: Point = [track.x - 2 * RADIUS, lane ?? 0];
    const ofLayer = farTips.filter(([x]) => boxOfLayerX(boxes, track.far) === x);
    paths.push(...join(ofLayer, track.x, turn));
    tips.push(turn);
  }
  const near = own.find(({ far }) => far === null);
  if (near !== undefined) paths.push(...join(farthestPerHeight(tips, near.x), near.x, end));
  return { end, paths };
}

/** Boxes of one layer begin at one height across. */
function boxOfLayerX(boxes: Layout['boxes'], layer: number | null): number | undefined {
  return [...boxes.values()].find((box) => box.layer === layer)?.x;
}

/** Lines that come along the same lane are one. */
function farthestPerHeight(tips: Point[], x: number): Point[] {
  const byHeight = new Map<number, Point>();
  for (const tip of tips) {
    const known = byHeight.get(tip[1]);
    if (known === undefined || Math.abs(tip[0] - x) > Math.abs(known[0] - x)) byHeight.set(tip[1], tip);
  }
  return [...byHeight.values()];
}

/** From the tips to an upright line at `x`, along it, and out to the end. */
function join(tips: Point[], x: number, end: Point): string[] {
  const radius = Math.min(RADIUS, ...tips.map(([, y]) => Math.abs(y - end[1]) / 2));
  const outX = x + Math.sign(end[0] - x) * radius;
  const paths = [`M${outX} ${end[1]}H${end[0]}`];
  for (const isAbove of [true, false]) {
    const here = tips.filter(([, y]) => y < end[1] === isAbove);
    if (here.length === 0) continue;
    const towards = isAbove ? radius : -radius;
    const heights = here.map(([, y]) => y);
    const first = isAbove ? Math.min(...heights) : Math.max(...heights);
    for (const [tipX, y] of here)
      paths.push(`M${tipX} ${y}H${x + Math.sign(tipX - x) * radius}Q${x} ${y} ${x} ${y + towards}`);
    paths.push(`M${x} ${first + towards}V${end[1] - towards}Q${x} ${end[1]} ${outX} ${end[1]}`);
  }
  return paths;
}
