import type { Command } from 'commander';
import type { Machine } from '../../ordering/machine.ts';
import { examples } from '../examples.ts';
import { choice, withConfig } from '../options.ts';
import type { ConfigOption } from '../options.ts';

type Format = 'table' | 'mermaid' | 'svg';
interface DrawOptions extends ConfigOption {
  format?: Format;
  out?: string;
}

export function addMachineDraw(machine: Command): void {
  const draw = machine
    .command('draw [name]')
    .description('Draws the transition table: as text, as a diagram for Markdown, or as a picture.')
    .addOption(choice('--format <format>', 'how to draw it (default: table)', ['table', 'mermaid', 'svg']))
    .option('--out <file>', 'write it there; a name that ends in .svg is a picture')
    .action(async (name: string | undefined, options: DrawOptions) => {
      const { writeFile } = await import('node:fs/promises');
      const { InorderError } = await import('../../errors.ts');
      const { say } = await import('../print.ts');
      const { readMachines } = await import('../read-machines.ts');
      const { format = options.out?.endsWith('.svg') === true ? 'svg' : 'table', out } = options;
      const machines = await readMachines(options, name);
      if (format === 'svg' && machines.length > 1) {
        const names = machines.map(({ label }) => label).join(', ');
        throw new InorderError('usage', `A picture shows one machine; name it: ${names}.`);
      }
      const drawer = await drawerOf(format);
      const drawn = machines.map(({ label, compiled }) => {
        if ('machine' in compiled) return drawer(compiled.machine);
        const problems = compiled.problems.map((problem) => `  - ${problem}`).join('\n');
        throw new InorderError(
          'machine_invalid',
          `${label} cannot be drawn while it has problems:\n${problems}`,
        );
      });
      if (out === undefined) {
        process.stdout.write(drawn.join('\n'));
        return;
      }
      try {
        await writeFile(out, drawn.join('\n'));
      } catch (error) {
        throw new InorderError('usage', `${out} cannot be written: ${(error as Error).message}`, {
          cause: error,
        });
      }
      say(`Drawn to ${out}.`);
    });
  examples(withConfig(draw), [
    ['inorder machine draw', 'the table as text'],
    ['inorder machine draw order --out order.svg', 'a picture, for light and dark pages'],
    ['inorder machine draw order --format mermaid', 'a diagram for Markdown'],
  ]);
}

async function drawerOf(format: Format): Promise<(machine: Machine) => string> {
  switch (format) {
    case 'table':
      return (await import('../../ordering/check/draw.ts')).drawTable;
    case 'mermaid':
      return (await import('../../ordering/check/draw-mermaid.ts')).drawMermaid;
    case 'svg':
      return (await import('../../ordering/check/draw-svg.ts')).drawSvg;
  }
}
