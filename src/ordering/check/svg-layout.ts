/**
 * Where everything of a drawing goes, so that no arrow runs through a box and no label meets anything.
 *
 * 1. Layers are columns. An arrow leaves and enters a box at a port of its own; the ports of neighbouring columns
 *    stand on different heights, so that no two of them share a line.
 * 2. Between two columns lies a channel: a zone for the labels of either side, and between these the tracks, upright
 *    lines of which each bundle has its own. Nothing but the lines of a side's own ports crosses its zone.
 * 3. Only what leads back over more than one layer leaves the channels, on a lane below all boxes.
 */
import { formatDuration } from '../format-duration.ts';
import type { Machine } from '../machine.ts';
import { bundlesOf, layerOf, layersOf } from './svg-bundles.ts';
import type { Bundle } from './svg-bundles.ts';
import { inBestOrder } from './svg-order.ts';

export interface Port {
  bundle: Bundle;
  status: string;
  side: 'left' | 'right';
  isEntry: boolean;
  y: number;
}
export interface Box {
  status: string;
  layer: number;
  x: number;
  y: number;
  width: number;
  height: number;
  /** What stands below the name: its deadline, its effects. */
  lines: string[];
  ports: Port[];
}
/** An upright line of one bundle in one channel; `far`: brings sources of a later layer to the lane below. */
export interface Track {
  bundle: Bundle;
  channel: number;
  far: number | null;
  x: number;
}
export interface Layout {
  boxes: Map<string, Box>;
  bundles: Bundle[];
  tracks: Track[];
  /** The height of each bundle's lane below all boxes, for those that have one. */
  lanes: Map<Bundle, number>;
  width: number;
  height: number;
}

/** Widths of a character of the fonts that the drawing names; monospaced ones differ little. */
export const NAME_WIDTH = 8.2;
export const LABEL_WIDTH = 6.7;
const LINE_WIDTH = 6.1;
export const LABEL_HEIGHT = 13;
const UNIT = 20;
const BETWEEN_BOXES = 2 * UNIT;
const MARGIN = 28;
/** Below the title. */
const TOP = 48;
const TRACK_PITCH = 11;
const ARROW = 12;
/** Where no label stands, and beside the outermost track. */
const CLEARANCE = 14;

export function layOut(machine: Machine): Layout {
  const layers = layersOf(machine);
  const bundles = bundlesOf(machine, layers);
  const boxes = boxesOf(machine, layers, bundles);
  placeUpright(boxes, bundles);
  placePorts(boxes, bundles);
  const bottom = Math.max(...[...boxes.values()].map(({ y, height }) => y + height));
  const lanes = lanesOf(bundles, layers, bottom + UNIT);
  const tracks = tracksOf(bundles, layers, boxes, lanes);
  const width = placeAcross(boxes, tracks);
  const height = Math.max(bottom, ...lanes.values()) + MARGIN;
  return { boxes, bundles, tracks, lanes, width, height };
}

/** On which side of its box an arrow of the bundle leaves a source. */
function exitSide(layers: { from: number; to: number }): 'left' | 'right' {
  return layers.from > layers.to ? 'left' : 'right';
}

function boxesOf(machine: Machine, layers: ReadonlyMap<string, number>, bundles: Bundle[]): Map<string, Box> {
  const boxes = new Map<string, Box>();
  for (const [status, { deadline, effects }] of Object.entries(machine.statuses)) {
    const lines = effects.map((effect) => `▸ ${effect}`);
    if (deadline !== undefined) lines.unshift(`deadline ${formatDuration(deadline.afterMs)}`);
    const width = Math.max(status.length * NAME_WIDTH, ...lines.map((line) => line.length * LINE_WIDTH)) + 24;
    boxes.set(status, {
      ...{ status, layer: layerOf(layers, status), lines, x: 0, y: 0, height: 0, ports: [] },
      width: Math.ceil(width),
    });
  }
  for (const bundle of bundles) {
    const to = boxOf(boxes, bundle.to);
    const port = { bundle, y: 0 };
    to.ports.push({ ...port, status: to.status, side: bundle.side, isEntry: true });
    for (const source of bundle.sources) {
      const from = boxOf(boxes, source);
      const side = exitSide({ from: from.layer, to: to.layer });
      from.ports.push({ ...port, status: source, side, isEntry: false });
    }
  }
  for (const box of boxes.values()) {
    const ofText = Math.ceil((28 + box.lines.length * 14) / UNIT);
    box.height = UNIT * Math.max(2, ofText, unitsOf(box, 'left'), unitsOf(box, 'right'));
  }
  return boxes;
}

export function boxOf(boxes: ReadonlyMap<string, Box>, status: string): Box {
  const box = boxes.get(status);
  if (box === undefined) throw new Error(`no box of ${status}`);
  return box;
}

const heightOf = (port: Port): number =>
  port.isEntry ? Math.ceil((port.bundle.labels.length * LABEL_HEIGHT + 7) / UNIT) : 1;
const unitsOf = ({ ports }: Box, side: Port['side']): number =>
  ports.filter((port) => port.side === side).reduce((sum, port) => sum + heightOf(port), 0);

// ---- upright ----

const columnsOf = (boxes: ReadonlyMap<string, Box>): Box[][] => {
  const columns: Box[][] = [];
  for (const box of boxes.values()) (columns[box.layer] ??= []).push(box);
  return columns.map((column) => column ?? []);
};

/** Boxes of a column one below the other, in the order that keeps the arrows shortest. */
function placeUpright(boxes: Map<string, Box>, bundles: Bundle[]): void {
  const columns = columnsOf(boxes);
  const tallOf = (column: Box[]) =>
    column.reduce((sum, { height }) => sum + height, 0) + BETWEEN_BOXES * (column.length - 1);
  const tallest = Math.max(...columns.map(tallOf));
  const place = (column: Box[]): void => {
    const layer = column[0]?.layer ?? 0;
    let y = TOP + Math.floor((tallest - tallOf(column)) / 2 / UNIT) * UNIT + (layer % 2) * (UNIT / 2);
    for (const box of column) {
      box.y = y;
      y += box.height + BETWEEN_BOXES;
    }
  };
  for (const column of columns) place(column);
  const reach = (): number => {
    let sum = 0;
    for (const { to, sources } of bundles)
      for (const source of sources) sum += Math.abs(middleOf(boxes, source) - middleOf(boxes, to));
    return sum;
  };
  for (let round = 0; round < 4; round++)
    for (const [index, column] of columns.entries()) {
      const best = inBestOrder(column, (order) => {
        place(order);
        return reach();
      });
      columns[index] = best;
      place(best);
    }
}

const middleOf = (boxes: ReadonlyMap<string, Box>, status: string): number => {
  const { y, height } = boxOf(boxes, status);
  return y + height / 2;
};

/** Ports of a side in the order of what they lead to or come from, in the middle of the box's height. */
function placePorts(boxes: Map<string, Box>, bundles: Bundle[]): void {
  const far = new Map<Port, number>();
  for (const box of boxes.values())
    for (const port of box.ports) {
      const others = port.isEntry ? port.bundle.sources : [port.bundle.to];
      const sum = others.reduce((total, status) => total + middleOf(boxes, status), 0);
      far.set(port, sum / others.length);
    }
  for (const box of boxes.values())
    for (const side of ['left', 'right'] as const) {
      const free = box.height / UNIT - unitsOf(box, side);
      let y = box.y + Math.floor(free / 2) * UNIT;
      const ports = box.ports
        .filter((port) => port.side === side)
        .sort(
          (a, b) =>
            (far.get(a) ?? 0) - (far.get(b) ?? 0) || bundles.indexOf(a.bundle) - bundles.indexOf(b.bundle),
        );
      for (const port of ports) {
        y += heightOf(port) * UNIT;
        port.y = y - UNIT / 2;
      }
    }
}

function lanesOf(bundles: Bundle[], layers: ReadonlyMap<string, number>, top: number): Map<Bundle, number> {
  const lanes = new Map<Bundle, number>();
  for (const bundle of bundles)
    if (bundle.sources.some((source) => isFar(layers, source, bundle)))
      lanes.set(bundle, top + lanes.size * (UNIT / 2));
  return lanes;
}

const isFar = (layers: ReadonlyMap<string, number>, source: string, { to }: Bundle): boolean =>
  layerOf(layers, source) > layerOf(layers, to) + 1;

// ---- across ----

function tracksOf(
  bundles: Bundle[],
  layers: ReadonlyMap<string, number>,
  boxes: ReadonlyMap<string, Box>,
  lanes: ReadonlyMap<Bundle, number>,
): Track[] {
  const tracks: Track[] = [];
  for (const bundle of bundles) {
    const layer = layerOf(layers, bundle.to);
    tracks.push({ bundle, channel: bundle.side === 'left' ? layer - 1 : layer, far: null, x: 0 });
    const later = bundle.sources.filter((source) => isFar(layers, source, bundle));
    for (const far of new Set(later.map((source) => layerOf(layers, source))))
      tracks.push({ bundle, channel: far - 1, far, x: 0 });
  }
  const channels = [...new Set(tracks.map(({ channel }) => channel))].sort((a, b) => a - b);
  return channels.flatMap((channel) => {
    const here = tracks.filter((track) => track.channel === channel);
    const ends = here.map((track) => endsOf(track, layers, boxes, lanes));
    const crossings = ends.map((left) => ends.map((right) => crossingsOf(left, right)));
    const order = inBestOrder([...here.keys()], (indices) => {
      let sum = 0;
      for (const [at, left] of indices.entries())
        for (let other = at + 1; other < indices.length; other++)
          sum += crossings[left]?.[indices[other] as number] ?? 0;
      return sum;
    });
    return order.map((index) => here[index] as Track);
  });
}

/** The heights at which lines meet a track from either side, and how far it reaches. */
interface Ends {
  left: number[];
  right: number[];
  top: number;
  bottom: number;
}

function endsOf(
  { bundle, far }: Track,
  layers: ReadonlyMap<string, number>,
  boxes: ReadonlyMap<string, Box>,
  lanes: ReadonlyMap<Bundle, number>,
): Ends {
  const ends = { left: [] as number[], right: [] as number[] };
  const to = layerOf(layers, bundle.to);
  for (const source of bundle.sources) {
    const layer = layerOf(layers, source);
    const port = portOf(boxes, source, bundle, false);
    if (far === null ? layer > to + 1 : layer !== far) continue;
    ends[port.side === 'right' ? 'left' : 'right'].push(port.y);
  }
  if (far === null) {
    const entry = portOf(boxes, bundle.to, bundle, true);
    ends[bundle.side === 'left' ? 'right' : 'left'].push(entry.y);
  }
  const lane = lanes.get(bundle);
  const all = [...ends.left, ...ends.right, ...(lane === undefined ? [] : [lane])];
  return { ...ends, top: Math.min(...all), bottom: Math.max(...all) };
}

export function portOf(
  boxes: ReadonlyMap<string, Box>,
  status: string,
  bundle: Bundle,
  isEntry: boolean,
): Port {
  const port = boxOf(boxes, status).ports.find((one) => one.bundle === bundle && one.isEntry === isEntry);
  if (port === undefined) throw new Error(`no port of ${bundle.labels.join()} at ${status}`);
  return port;
}

/** How often lines cross when these tracks stand beside each other, in this order. */
function crossingsOf(left: Ends, right: Ends): number {
  return (
    right.left.filter((y) => y > left.top && y < left.bottom).length +
    left.right.filter((y) => y > right.top && y < right.bottom).length
  );
}

/** Columns and channels from left to right; returns where it ends. */
function placeAcross(boxes: Map<string, Box>, tracks: Track[]): number {
  let x = MARGIN + CLEARANCE;
  const columns = columnsOf(boxes);
  for (const [layer, column] of columns.entries()) {
    const width = Math.max(...column.map((box) => box.width));
    for (const box of column) Object.assign(box, { x, width });
    x += width;
    const inChannel = tracks.filter(({ channel }) => channel === layer);
    const next = columns[layer + 1] ?? [];
    if (inChannel.length === 0 && next.length === 0) break;
    x += zoneOf(column, 'right');
    for (const track of inChannel) {
      track.x = x;
      x += TRACK_PITCH;
    }
    x += next.length === 0 ? 0 : zoneOf(next, 'left') - TRACK_PITCH;
  }
  return Math.ceil(x + MARGIN);
}

/** How wide the labels of a column's side are. */
function zoneOf(column: Box[], side: 'left' | 'right'): number {
  const entries = column.flatMap(({ ports }) => ports.filter((port) => port.isEntry && port.side === side));
  const longest = Math.max(0, ...entries.flatMap(({ bundle }) => bundle.labels.map(({ length }) => length)));
  return longest === 0 ? 2 * CLEARANCE : Math.ceil(longest * LABEL_WIDTH) + ARROW + CLEARANCE;
}
