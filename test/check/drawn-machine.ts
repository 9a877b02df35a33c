/** The machines' tables and pictures in the docs are what `inorder machine draw` prints. */
import { writeFileSync } from 'node:fs';
import { order as marketplace } from '../../examples/marketplace/machine.ts';
import { subscription } from '../../examples/subscription/machine.ts';
import { order } from '../../machines/order.ts';
import { order as stripeOrder } from '../../src/init/templates/stripe/order.ts';
import { drawMermaid } from '../../src/ordering/check/draw-mermaid.ts';
import { drawSvg } from '../../src/ordering/check/draw-svg.ts';
import { drawTable } from '../../src/ordering/check/draw.ts';
import { compileMachine } from '../../src/ordering/compile-machine.ts';
import type { Machine, MachineDefinition } from '../../src/ordering/machine.ts';
import type { Check, Tree } from './check.ts';

interface Picture {
  definition: MachineDefinition;
  from: string;
}

/** Each picture, and the file of the machine that it shows. */
const PICTURES: Record<string, Picture> = {
  'docs/machine-order.svg': { definition: order, from: 'machines/order.ts' },
  'docs/machine-stripe.svg': { definition: stripeOrder, from: 'src/init/templates/stripe/order.ts' },
  'docs/machine-subscription.svg': { definition: subscription, from: 'examples/subscription/machine.ts' },
  'docs/machine-marketplace.svg': { definition: marketplace, from: 'examples/marketplace/machine.ts' },
};

interface Drawing {
  page: string;
  picture: string;
  alt: string;
  /** The steps as a diagram as well. */
  isMermaid: boolean;
}

/** Between which marks of which page a machine is drawn. */
const DRAWINGS: Drawing[] = [
  {
    page: 'docs/machine.md',
    picture: 'machine-order.svg',
    alt: "The statuses of the demo's order and the steps between them",
    isMermaid: true,
  },
  {
    page: 'docs/worked-tables.md',
    picture: 'machine-subscription.svg',
    alt: 'The statuses of a subscription and the steps between them',
    isMermaid: false,
  },
  {
    page: 'docs/worked-tables.md',
    picture: 'machine-marketplace.svg',
    alt: "The statuses of a marketplace's order and the steps between them",
    isMermaid: false,
  },
];

const END = '<!-- end of machine -->';

export const drawnMachine: Check = {
  name: 'drawn machine',
  remedy: '`npm run check -- --write` draws the machines between the marks of the pages.',
  findProblems: (tree) => [
    ...DRAWINGS.flatMap((drawing) => problemsOf(tree, drawing)),
    ...Object.entries(PICTURES)
      .filter(([file, { definition }]) => {
        const picture = tree.files.includes(file) ? tree.read(file) : null;
        return picture !== drawSvg(machineOf(definition));
      })
      .map(([file, { from }]) => `${file} shows another machine than ${from}`),
  ],
};

function problemsOf(tree: Tree, drawing: Drawing): string[] {
  if (!tree.files.includes(drawing.page)) return [`${drawing.page} is not there`];
  const page = tree.read(drawing.page);
  const drawn = withDrawing(page, drawing);
  const { from } = pictureOf(drawing);
  if (drawn === null) return [`${drawing.page} has not the marks "${beginOf(from)}" and "${END}"`];
  return drawn === page ? [] : [`${drawing.page} shows another machine than ${from}`];
}

export function writeDrawnMachines(tree: Tree): void {
  for (const page of new Set(DRAWINGS.map((drawing) => drawing.page))) {
    if (!tree.files.includes(page)) continue;
    const drawn = DRAWINGS.filter((drawing) => drawing.page === page).reduce(
      (text, drawing) => withDrawing(text, drawing) ?? text,
      tree.read(page),
    );
    writeFileSync(page, drawn);
  }
  for (const [file, { definition }] of Object.entries(PICTURES))
    writeFileSync(file, drawSvg(machineOf(definition)));
}

const pictureOf = ({ picture }: Drawing): Picture => PICTURES[`docs/${picture}`] as Picture;
const beginOf = (from: string) => `<!-- machine: written by \`npm run check -- --write\` from ${from} -->`;

function machineOf(definition: MachineDefinition): Machine {
  const compiled = compileMachine(definition);
  if ('problems' in compiled) throw new Error(compiled.problems.join('\n'));
  return compiled.machine;
}

function withDrawing(page: string, drawing: Drawing): string | null {
  const { definition, from } = pictureOf(drawing);
  const mark = beginOf(from);
  const begin = page.indexOf(mark);
  const end = page.indexOf(END, begin);
  if (begin < 0 || end < 0) return null;
  const machine = machineOf(definition);
  const parts = [`![${drawing.alt}](${drawing.picture})`, `\`\`\`text\n${drawTable(machine)}\`\`\``];
  if (drawing.isMermaid) parts.push(`\`\`\`mermaid\n${drawMermaid(machine)}\`\`\``);
  return `${page.slice(0, begin)}${[mark, ...parts].join('\n\n')}\n\n${page.slice(end)}`;
}
