/** The demo's table and its picture in the docs are what `inorder machine draw` prints. */
import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { order } from '../../machines/order.ts';
import { drawMermaid } from '../../src/ordering/check/draw-mermaid.ts';
import { drawSvg } from '../../src/ordering/check/draw-svg.ts';
import { drawTable } from '../../src/ordering/check/draw.ts';
import { compileMachine } from '../../src/ordering/compile-machine.ts';
import type { Machine } from '../../src/ordering/machine.ts';
import type { Check } from './check.ts';

export const MACHINE_PAGE = 'docs/machine.md';
const PICTURE = 'docs/machine-order.svg';
const BEGIN = '<!-- machine: written by `npm run check -- --write` from machines/order.ts -->';
const END = '<!-- end of machine -->';

export const drawnMachine: Check = {
  name: 'drawn machine',
  remedy: `\`npm run check -- --write\` draws the machine between the marks in ${MACHINE_PAGE}.`,
  findProblems(tree) {
    if (!tree.files.includes(MACHINE_PAGE)) return [`${MACHINE_PAGE} is not there`];
    const page = tree.read(MACHINE_PAGE);
    const drawn = withDrawing(page);
    if (drawn === null) return [`${MACHINE_PAGE} has not the marks "${BEGIN}" and "${END}"`];
    const shows = (file: string) => `${file} shows another machine than machines/order.ts`;
    const picture = tree.files.includes(PICTURE) ? tree.read(PICTURE) : null;
    return [
      ...(drawn === page ? [] : [shows(MACHINE_PAGE)]),
      ...(picture === drawSvg(demoMachine()) ? [] : [shows(PICTURE)]),
    ];
  },
};

export function writeDrawnMachine(page: string): void {
  const drawn = withDrawing(page);
  if (drawn !== null) writeFileSync(MACHINE_PAGE, drawn);
  writeFileSync(PICTURE, drawSvg(demoMachine()));
}

function demoMachine(): Machine {
  const compiled = compileMachine(order);
  if ('problems' in compiled) throw new Error(compiled.problems.join('\n'));
  return compiled.machine;
}

function withDrawing(page: string): string | null {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) return null;
  const machine = demoMachine();
  const drawing = `\`\`\`text\n${drawTable(machine)}\`\`\`\n\n\`\`\`mermaid\n${drawMermaid(machine)}\`\`\``;
  const picture = `![The statuses of the demo's order and the steps between them](${basename(PICTURE)})`;
  return `${page.slice(0, begin)}${BEGIN}\n\n${picture}\n\n${drawing}\n\n${page.slice(end)}`;
}
