/** The demo's table in the docs is what `inorder machine draw` prints. */
import { writeFileSync } from 'node:fs';
import { order } from '../../machines/order.ts';
import { drawMermaid } from '../../src/ordering/check/draw-mermaid.ts';
import { drawTable } from '../../src/ordering/check/draw.ts';
import { compileMachine } from '../../src/ordering/compile-machine.ts';
import type { Check } from './check.ts';

export const MACHINE_PAGE = 'docs/machine.md';
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
    return drawn === page ? [] : [`${MACHINE_PAGE} shows another machine than machines/order.ts`];
  },
};

export function writeDrawnMachine(page: string): void {
  const drawn = withDrawing(page);
  if (drawn !== null) writeFileSync(MACHINE_PAGE, drawn);
}

function withDrawing(page: string): string | null {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) return null;
  const compiled = compileMachine(order);
  if ('problems' in compiled) throw new Error(compiled.problems.join('\n'));
  const { machine } = compiled;
  const drawing = `\`\`\`text\n${drawTable(machine)}\`\`\`\n\n\`\`\`mermaid\n${drawMermaid(machine)}\`\`\``;
  return `${page.slice(0, begin)}${BEGIN}\n\n${drawing}\n\n${page.slice(end)}`;
}
