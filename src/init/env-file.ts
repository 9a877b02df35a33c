/**
 * The `.env` of a new project: every variable its configuration reads, each with the place where its value is found.
 * Empty means unset, so `config check` names what is still to be filled in, and `inorder dev` plays it meanwhile.
 */
import { randomBytes } from 'node:crypto';
import type { Answers } from './answers.ts';

interface Entry {
  comment: string;
  name: string;
  value?: string;
  /** Has a default, or is needed in production only. */
  optional?: boolean;
}

const HEAD = [
  'Variables of this folder: every inorder command that is run here reads them. What is really set wins.',
  'It holds secrets: .gitignore keeps it out of version control, and only you may read it.',
];

/** All of them; with `known`, those that it does not have, to be added at its end. */
export function envFile(answers: Answers, known: string | null = null): string {
  const entries = entriesOf(answers).filter(({ name }) => !definedIn(known ?? '').has(name));
  const blocks = entries.map(({ comment, name, value = '', optional = false }) =>
    [...comment.split('\n').map((line) => `# ${line}`), `${optional ? '# ' : ''}${name}=${value}`].join('\n'),
  );
  if (known !== null) return blocks.map((block) => `\n${block}\n`).join('');
  return `${[HEAD.map((line) => `# ${line}`).join('\n'), ...blocks].join('\n\n')}\n`;
}

/** Commented ones count: they were seen. */
const definedIn = (text: string): Set<string> =>
  new Set(
    [...text.matchAll(/^[ \t]*(?:#[ \t]*)?(?:export[ \t]+)?([A-Z_][A-Z0-9_]*)[ \t]*=/gm)].map(
      ([, name = '']) => name,
    ),
  );

function entriesOf(answers: Answers): Entry[] {
  return [...sourceEntries(answers), ...EFFECTS(), ...PLACES()];
}

function sourceEntries({ provider, withApi }: Answers): Entry[] {
  if (provider === 'standard-webhooks') {
    return [
      {
        comment: 'Your application signs its webhooks with it; made for you.',
        name: 'SHOP_WEBHOOK_SECRET',
        value: newSecret(),
      },
    ];
  }
  if (provider === 'sandbox') return SANDBOX;
  return withApi ? [STRIPE_SECRET, STRIPE_KEY] : [STRIPE_SECRET];
}

const STRIPE_SECRET: Entry = {
  comment:
    'Stripe: Workbench → Webhooks → your endpoint → Signing secret. Each endpoint and mode has its own: whsec_…',
  name: 'STRIPE_WEBHOOK_SECRET',
};
const STRIPE_KEY: Entry = {
  comment:
    'Stripe: Developers → API keys → Create restricted key. Read, and nothing else: PaymentIntents, Charges and\n' +
    'Refunds, Disputes, Checkout Sessions, Events. rk_test_… or rk_live_…',
  name: 'STRIPE_API_KEY',
};
const SANDBOX: Entry[] = [
  {
    comment: 'The sandbox is played by `inorder dev`, which makes these up while they are empty.',
    name: 'SHOP_WEBHOOK_SECRET',
  },
  { comment: 'Its API.', name: 'SHOP_API_URL' },
  { comment: 'The same of the payments.', name: 'PAYMENTS_WEBHOOK_SECRET' },
  { comment: 'Its API.', name: 'PAYMENTS_API_URL' },
];
const EFFECTS = (): Entry[] => [
  {
    comment:
      'Your application, where it takes effects: http://127.0.0.1:3000/inorder. Empty: `inorder dev` plays one and\n' +
      'says what it was called with.',
    name: 'EFFECTS_URL',
  },
  {
    comment: 'Signs those calls, and your application checks it (Standard Webhooks); made for you.',
    name: 'EFFECTS_SECRET',
    value: newSecret(),
  },
];
const PLACES = (): Entry[] => [
  {
    comment: 'In production. `inorder dev` brings its own while they are not set.',
    name: 'MYSQL_URL',
    value: 'mysql://inorder:password@127.0.0.1:3306/inorder',
    optional: true,
  },
  { comment: 'The Temporal server.', name: 'TEMPORAL_ADDRESS', value: '127.0.0.1:7233', optional: true },
  {
    comment: 'Receivers that have it take the canary of `inorder doctor`; made for you.',
    name: 'INORDER_CANARY_SECRET',
    value: newSecret(),
  },
  {
    comment: 'Where providers reach the receiver, without /webhooks/….',
    name: 'INORDER_PUBLIC_URL',
    value: 'https://webhooks.example.com',
    optional: true,
  },
];

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
