/**
 * Draws a machine as a picture: statuses as boxes in layers, arrows by type, steps back dashed. One file without
 * scripts or fonts of its own, legible on light and dark ground. Where things stand is `svg-layout.ts`'s matter.
 */
import type { Machine } from '../machine.ts';
import type { Bundle } from './svg-bundles.ts';
import { boxOf, LABEL_HEIGHT, LABEL_WIDTH, layOut, NAME_WIDTH } from './svg-layout.ts';
import type { Box, Layout } from './svg-layout.ts';
import { wiresOf } from './svg-wires.ts';
import type { Point } from './svg-wires.ts';

const COLOURS = 12;
const LEGEND_HEIGHT = 18;

export function drawSvg(machine: Machine): string {
  const layout = layOut(machine);
  const { boxes, bundles } = layout;
  const title = `${machine.name}, version ${machine.version}`;
  const said = legendOf(bundles, [...boxes.values()]);
  const width = Math.max(layout.width, 40 + widthOf([title, ...said]));
  const legend = packed(said, width - 40);
  const height = layout.height + legend.length * LEGEND_HEIGHT;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title desc">`,
    `<title id="title">${escape(title)}</title>`,
    `<desc id="desc">${escape(describe(machine, bundles))}</desc>`,
    `<style>${STYLE}</style>`,
    `<rect class="ground" width="${width}" height="${height}" rx="10"/>`,
    `<text class="title" x="20" y="28">${escape(title)}</text>`,
    startOf(boxOf(boxes, machine.initial)),
    ...bundles.map((bundle) => drawBundle(bundle, layout, colourOf(machine, bundle.to))),
    ...[...boxes.values()].map((box) => drawBox(box, colourOf(machine, box.status))),
    ...legend.map((line, at) => {
      const y = height - 14 - (legend.length - 1 - at) * LEGEND_HEIGHT;
      return `<text class="legend" x="20" y="${y}">${escape(line)}</text>`;
    }),
    '</svg>',
    '',
  ].join('\n');
}

/** Arrows have the colour of the status they lead to. */
const colourOf = (machine: Machine, status: string): string =>
  `c${Object.keys(machine.statuses).indexOf(status) % COLOURS}`;

function drawBox({ status, x, y, width, height, lines }: Box, colour: string): string {
  const middle = x + width / 2;
  const top = y + (height - lines.length * 14) / 2 + 4;
  return [
    `<g class="${colour}">`,
    `<rect class="box" x="${x}" y="${y}" width="${width}" height="${height}" rx="7"/>`,
    `<text class="name" x="${middle}" y="${top}">${escape(status)}</text>`,
    ...lines.map(
      (line, at) => `<text class="line" x="${middle}" y="${top + 16 + at * 14}">${escape(line)}</text>`,
    ),
    '</g>',
  ].join('');
}

function startOf({ x, y, height }: Box): string {
  const at = y + height / 2;
  return (
    `<g class="start"><circle cx="${x - 24}" cy="${at}" r="5"/>` +
    `<path class="wire" d="M${x - 19} ${at}H${x - 8}"/>${arrowHead([x, at], 'left')}</g>`
  );
}

function drawBundle(bundle: Bundle, layout: Layout, colour: string): string {
  const { end, paths } = wiresOf(bundle, layout);
  const isLeft = bundle.side === 'left';
  const labels = bundle.labels.map((label, at) => {
    const y = end[1] - 5 - (bundle.labels.length - 1 - at) * LABEL_HEIGHT;
    const place = `x="${end[0] + (isLeft ? -12 : 12)}" y="${y}" text-anchor="${isLeft ? 'end' : 'start'}"`;
    return `<text class="label" ${place}>${escape(label)}</text>`;
  });
  const title = `${bundle.sources.join(', ')} → ${bundle.to}: ${bundle.labels.join(', ')}`;
  const kinds = ['step', colour, ...(bundle.isBack ? ['back'] : []), ...(bundle.isDeadline ? ['late'] : [])];
  return [
    `<g class="${kinds.join(' ')}"><title>${escape(title)}</title>`,
    ...paths.map((path) => `<path class="wire" d="${path}"/>`),
    arrowHead(end, bundle.side),
    ...labels,
    '</g>',
  ].join('\n');
}

function arrowHead([x, y]: Point, side: 'left' | 'right'): string {
  const back = side === 'left' ? x - 9 : x + 9;
  return `<path class="head" d="M${x} ${y}L${back} ${y - 4.5}V${y + 4.5}Z"/>`;
}

function legendOf(bundles: Bundle[], boxes: Box[]): string[] {
  const said: string[] = [];
  const labels = bundles.flatMap((bundle) => bundle.labels);
  if (bundles.some(({ isBack }) => isBack)) said.push('dashed: a step back');
  if (bundles.some(({ isDeadline }) => isDeadline)) said.push('dotted: a deadline');
  if (boxes.some(({ lines }) => lines.some((line) => line.startsWith('▸')))) said.push('▸ runs on entry');
  if (labels.some((label) => / \((own|other)\)$/.test(label)))
    said.push('own, other: by the payment that carries the order, or by another one');
  return said;
}

const widthOf = (texts: string[]): number =>
  Math.ceil(Math.max(...texts.map(({ length }) => length)) * NAME_WIDTH);

/** As many on a line as there is room for. */
function packed(said: string[], width: number): string[] {
  const lines: string[] = [];
  for (const one of said) {
    const line = lines.at(-1);
    const longer = line === undefined ? null : `${line}   ·   ${one}`;
    if (longer === null || longer.length * LABEL_WIDTH > width) lines.push(one);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

/** For those who hear the picture: every step as a sentence. */
function describe(machine: Machine, bundles: Bundle[]): string {
  const steps = bundles.map(
    ({ sources, to, labels }) => `From ${sources.join(', ')} to ${to} by ${labels.join(', ')}.`,
  );
  return [`Starts in ${machine.initial}.`, ...steps].join(' ');
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? '');

const LIGHT =
  '#475569 #9a5b00 #1d4ed8 #15803d #7e22ce #b91c1c #0f766e #be185d #6b5b1e #0369a1 #a21caf #3f6212'.split(
    ' ',
  );
const DARK =
  '#cbd5e1 #f5b84d #8ab4ff #6ee7a0 #d8a6ff #ff9b9b #5eead4 #ff9ccb #d9c97a #7dd3fc #f0a6ff #bef264'.split(
    ' ',
  );
const colours = (palette: string[]): string => palette.map((colour, at) => `.c${at}{--c:${colour}}`).join('');

const STYLE = [
  'svg{--ground:#fff;--box:#f8fafc;--text:#0f172a;--soft:#475569}',
  colours(LIGHT),
  `@media (prefers-color-scheme:dark){svg{--ground:#0d1117;--box:#161b22;--text:#f0f6fc;--soft:#b6c2cf}${colours(DARK)}}`,
  'text{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:var(--text)}',
  '.ground{fill:var(--ground)}.box{fill:var(--box);stroke:var(--c);stroke-width:1.8}',
  '.title{font-size:14px;font-weight:600}.name{font-size:13px;font-weight:600;text-anchor:middle}',
  '.line{font-size:10px;text-anchor:middle;fill:var(--soft)}.legend{font-size:11px;fill:var(--soft)}',
  '.label{font-size:11px;fill:var(--c)}.wire{fill:none;stroke:var(--c);stroke-width:1.4}',
  '.head{fill:var(--c)}.back .wire{stroke-dasharray:6 4}.late .wire{stroke-dasharray:1.5 3.5}.start{--c:var(--text)}.start circle{fill:var(--text)}',
  '.step:hover .wire{stroke-width:3}.step:hover .label{font-weight:700}',
].join('');
