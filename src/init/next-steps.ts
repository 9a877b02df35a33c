/** What is left to do after a project was written: where the provider sends, what it should send, what to run. */
import { relative, resolve } from 'node:path';
import { providers } from '../providers/registry.ts';
import type { MachineDefinition } from '../ordering/machine.ts';
import type { Answers } from './answers.ts';
import type { FoundPackage } from './find-package.ts';
import type { WrittenFile } from './write-files.ts';

export interface NextSteps {
  /** Where the provider sends. */
  urls: string[];
  /** What it should send, in its own words. */
  events: string[];
  /** Variables of .env that have to be filled in before the provider's webhooks are taken. */
  toFillIn: string[];
  /** In this order, typed as they stand. */
  commands: string[];
  /** Instead of the last one, while no provider sends yet; the second in another terminal. */
  withoutProvider: string[];
}

export function nextSteps(options: {
  directory: string;
  answers: Answers;
  definition: MachineDefinition;
  found: FoundPackage;
  written: WrittenFile[];
  publicUrl: string | null;
}): NextSteps {
  const { directory, answers, definition, publicUrl } = options;
  const base = publicUrl ?? 'https://<your host>';
  return {
    urls: SOURCES[answers.provider].map((source) => `${base}/webhooks/${source}`),
    events: eventsOf(answers, definition),
    toFillIn: toFillIn(answers),
    commands: [...enter(directory), ...install(options), 'npx inorder dev'],
    withoutProvider: [
      'npx inorder dev --stand-in',
      `npx inorder simulate ${SOURCES[answers.provider][0]} ${answers.provider === 'stripe' ? 'life' : 'order.created'}`,
    ],
  };
}

const SOURCES = { stripe: ['stripe'], 'standard-webhooks': ['shop'], sandbox: ['shop', 'payments'] };

/** Of an application of one's own: the words of the table, but for those that only a deadline says. */
function eventsOf({ provider }: Answers, definition: MachineDefinition): string[] {
  const types = providers[provider]?.types ?? {};
  if (provider !== 'standard-webhooks') return Object.keys(types).filter((type) => types[type] !== null);
  const deadlines = new Set(Object.values(definition.statuses).map(({ deadline }) => deadline?.type));
  return Object.keys(definition.on).filter((type) => !deadlines.has(type));
}

function toFillIn({ provider, withApi }: Answers): string[] {
  if (provider !== 'stripe') return [];
  return withApi ? ['STRIPE_WEBHOOK_SECRET', 'STRIPE_API_KEY'] : ['STRIPE_WEBHOOK_SECRET'];
}

function enter(directory: string): string[] {
  const beneath = relative('', directory);
  // From another branch of the tree the way back up says less than the whole path.
  const path = beneath.startsWith('..') ? resolve(directory) : beneath;
  return path === '' ? [] : [`cd ${/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`}`];
}

function install({ found, written }: { found: FoundPackage; written: WrittenFile[] }): string[] {
  if (found.kind === 'installed') return [];
  if (found.kind === 'elsewhere') return ['npm install <the package of inorder that you used>'];
  const isNamed = written.some(({ path, done }) => path === 'package.json' && done === 'written');
  return [isNamed ? 'npm install' : `npm install ${found.path}`];
}
