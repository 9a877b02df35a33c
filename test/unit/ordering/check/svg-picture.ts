/** What a drawing shows, read back from its text: boxes, labels and straight lines, all as rectangles. */
import { LABEL_WIDTH } from '../../../../src/ordering/check/svg-layout.ts';

export interface Rect {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
  /** What it belongs to: a status, or the bundle's place in the picture. */
  of: string;
}
export interface Picture {
  width: number;
  height: number;
  boxes: Rect[];
  labels: (Rect & { text: string })[];
  lines: Rect[];
}

export function readPicture(svg: string): Picture {
  const [, width = '', height = ''] = /viewBox="0 0 (\S+) (\S+)"/.exec(svg) ?? [];
  const picture: Picture = { width: Number(width), height: Number(height), boxes: [], labels: [], lines: [] };
  for (const [, x, y, w, h] of svg.matchAll(
    /<rect class="box" x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)"/g,
  )) {
    const [x1, y1] = [Number(x), Number(y)];
    picture.boxes.push({ x1, y1, x2: x1 + Number(w), y2: y1 + Number(h), of: `box ${picture.boxes.length}` });
  }
  for (const [index, group] of [...svg.matchAll(/<g class="step[\s\S]*?<\/g>/g)].entries()) {
    const of = `step ${index}`;
    for (const [, d = ''] of group[0].matchAll(/<path class="wire" d="([^"]+)"/g))
      picture.lines.push(...segmentsOf(d).map((line) => ({ ...line, of })));
    for (const [, x, y, anchor, text = ''] of group[0].matchAll(
      /<text class="label" x="(\S+)" y="(\S+)" text-anchor="(\w+)">([^<]*)</g,
    )) {
      const length = text.replaceAll(/&\w+;/g, '.').length * LABEL_WIDTH;
      const x1 = anchor === 'end' ? Number(x) - length : Number(x);
      picture.labels.push({ x1, x2: x1 + length, y1: Number(y) - 9, y2: Number(y) + 2, of, text });
    }
  }
  return picture;
}

/** A rounded corner counts as the corner itself. */
function segmentsOf(d: string): Omit<Rect, 'of'>[] {
  const segments: Omit<Rect, 'of'>[] = [];
  let [x, y] = [0, 0];
  const to = (nextX: number, nextY: number): void => {
    segments.push({
      x1: Math.min(x, nextX),
      x2: Math.max(x, nextX),
      y1: Math.min(y, nextY),
      y2: Math.max(y, nextY),
    });
    [x, y] = [nextX, nextY];
  };
  for (const [, command, numbers = ''] of d.matchAll(/([MHVQ])([^MHVQ]*)/g)) {
    const [a = 0, b = 0, c = 0, e = 0] = numbers.trim().split(/\s+/).map(Number);
    if (command === 'M') [x, y] = [a, b];
    else if (command === 'H') to(a, y);
    else if (command === 'V') to(x, a);
    else {
      to(a, b);
      to(c, e);
    }
  }
  return segments;
}

/** They share more than an edge. */
export const overlap = (a: Rect, b: Rect): boolean =>
  a.x1 < b.x2 - 0.1 && b.x1 < a.x2 - 0.1 && a.y1 < b.y2 - 0.1 && b.y1 < a.y2 - 0.1;

/** As `overlap`, for a line, which has no breadth. */
export const runsThrough = (line: Rect, area: Rect): boolean =>
  line.x1 <= area.x2 - 0.1 &&
  area.x1 + 0.1 <= line.x2 &&
  line.y1 <= area.y2 - 0.1 &&
  area.y1 + 0.1 <= line.y2;

/** Two lines that lie on each other for a while. */
export function coincide(a: Rect, b: Rect): boolean {
  const isUpright = (line: Rect) => line.x1 === line.x2;
  if (isUpright(a) !== isUpright(b)) return false;
  return isUpright(a)
    ? a.x1 === b.x1 && a.y1 < b.y2 - 0.1 && b.y1 < a.y2 - 0.1
    : a.y1 === b.y1 && a.x1 < b.x2 - 0.1 && b.x1 < a.x2 - 0.1;
}
