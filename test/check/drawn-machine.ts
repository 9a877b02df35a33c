/** The demo's table and the pictures in the docs are what `inorder machine draw` prints. */
import { writeFileSync } from 'node:fs';
import { order } from '../../machines/order.ts';
import { order as stripeOrder } from '../../src/init/templates/stripe/order.ts';
import { drawMermaid } from '../../src/ordering/check/draw-mermaid.ts';
import { drawSvg } from '../../src/ordering/check/draw-svg.ts';
import { drawTable } from '../../src/ordering/check/draw.ts';
import { compileMachine } from '../../src/ordering/compile-machine.ts';
import type { Machine, MachineDefinition } from '../../src/ordering/machine.ts';
import type { Check } from './check.ts';

export const MACHINE_PAGE = 'docs/machine.md';
/** Each picture, and the file of the machine that it shows. */
const PICTURES = {
  'docs/machine-order.svg': { definition: order, from: 'machines/order.ts' },
  'docs/machine-stripe.svg': { definition: stripeOrder, from: 'src/init/templates/stripe/order.ts' },
};
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
    const isShown = drawn === page;
    return [
      ...(isShown ? [] : [`${MACHINE_PAGE} shows another machine than machines/order.ts`]),
      ...Object.entries(PICTURES)
        .filter(([file, { definition }]) => {
          const picture = tree.files.includes(file) ? tree.read(file) : null;
          return picture !== drawSvg(machineOf(definition));
        })
        .map(([file, { from }]) => `${file} shows another machine than ${from}`),
    ];
  },
};

export function writeDrawnMachine(page: string): void {
  const drawn = withDrawing(page);
  if (drawn !== null) writeFileSync(MACHINE_PAGE, drawn);
  for (const [file, { definition }] of Object.entries(PICTURES))
    writeFileSync(file, drawSvg(machineOf(definition)));
}

function machineOf(definition: MachineDefinition): Machine {
  const compiled = compileMachine(definition);
  if ('problems' in compiled) throw new Error(compiled.problems.join('\n'));
  return compiled.machine;
}

function withDrawing(page: string): string | null {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) return null;
  const machine = machineOf(order);
  const drawing = `\`\`\`text\n${drawTable(machine)}\`\`\`\n\n\`\`\`mermaid\n${drawMermaid(machine)}\`\`\``;
  const picture = `![The statuses of the demo's order and the steps between them](machine-order.svg)`;
  return `${page.slice(0, begin)}${BEGIN}\n\n${picture}\n\n${drawing}\n\n${page.slice(end)}`;
}
