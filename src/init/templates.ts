/**
 * The files that a new project is made from. They are real ones: type-checked where they lie, loaded by the tests,
 * copied beside what is built. What is put into them stands in them as `$name`; what depends on an answer stands
 * between `// if name`, `// else` and `// end`.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createJiti } from 'jiti';
import * as inorder from '../index.ts';
import type { MachineDefinition } from '../ordering/machine.ts';
import type { Answers } from './answers.ts';

/** The project's root, or what was built of it. */
const ROOT = new URL('../../', import.meta.url);

const CONFIGS = {
  stripe: 'src/init/templates/stripe/inorder.config.ts',
  'standard-webhooks': 'src/init/templates/standard-webhooks/inorder.config.ts',
  // The demo's own: both of its sources are played by `inorder dev`.
  sandbox: 'inorder.config.ts',
};

/** What a table can rely on decides which one it is: answers of the provider, numbers, or neither. */
function machineFile({ provider, paths, withApi }: Answers): string {
  if (provider === 'sandbox' || paths.version !== undefined) return 'machines/order.ts';
  return `src/init/templates/${withApi ? provider : 'any-order'}/order.ts`;
}

export interface FilledTemplates {
  config: string;
  machine: string;
  definition: MachineDefinition;
}

export async function fillTemplates(answers: Answers, nowMs: number): Promise<FilledTemplates> {
  const file = machineFile(answers);
  const { environment, orderPaths, paths, withApi, provider } = answers;
  const isNumbered = paths.version !== undefined;
  const conditions = { api: withApi, version: isNumbered, booksWhole: provider !== 'stripe' };
  const machine = chosen(read(file), conditions);
  const definition = await loadMachine(machine);
  // To the second, as Stripe has it.
  const now = `${new Date(nowMs).toISOString().slice(0, 19)}Z`;
  const config = chosen(read(CONFIGS[provider]), conditions)
    .replace("contract: 'sequence'", `contract: '${isNumbered ? 'sequence' : 'unordered'}'`)
    .replace(/'[./\w-]+\/order\.ts'/, "'./machines/order.ts'")
    .replaceAll(/environment: '[^']*'/g, `environment: '${environment}'`)
    .replace("'$mode'", environment === 'live' ? "'live'" : "'test'")
    .replace("['$order']", `[${orderPaths.map((path) => `'${path}'`).join(', ')}]`)
    .replace("{ id: '$path' }", listed(paths))
    .replace(/existingBefore: '[^']*'/, `existingBefore: '${now}'`)
    .replace(/^ {2}effects: \{\n[\s\S]*?^ {2}\},/m, effectsBlock(Object.keys(definition.effects)));
  return { config, machine, definition };
}

const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

async function loadMachine(text: string): Promise<MachineDefinition> {
  const jiti = createJiti(import.meta.url, { fsCache: false, virtualModules: { inorder } });
  const module = await jiti.evalModule(text, {
    filename: fileURLToPath(new URL('order.ts', ROOT)),
    async: true,
  });
  return (module as { order: MachineDefinition }).order;
}

/** Whole lines only, so that a template stays TypeScript. */
function chosen(template: string, conditions: Record<string, boolean>): string {
  let isKept = true;
  const lines = template.split('\n').filter((line) => {
    const [, word, name] = /^\s*\/\/ (if|else|end)(?: (\w+))?$/.exec(line) ?? [];
    if (word === 'if') isKept = conditions[name ?? ''] === true;
    else if (word === 'else') isKept = !isKept;
    else if (word === 'end') isKept = true;
    return word === undefined && isKept;
  });
  return lines.join('\n');
}

const listed = (paths: Record<string, string>): string =>
  `{ ${Object.entries(paths)
    .map(([name, path]) => `${name}: '${path}'`)
    .join(', ')} }`;

const effectsBlock = (names: string[]): string =>
  `  effects: {\n${names.map((name) => `    ${name}: call,\n`).join('')}  },`;
