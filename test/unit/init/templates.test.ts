import { expect, test } from 'vitest';
import type { Answers } from '../../../src/init/answers.ts';
import { envFile } from '../../../src/init/env-file.ts';
import { fillTemplates } from '../../../src/init/templates.ts';

const stripe: Answers = {
  provider: 'stripe',
  environment: 'live',
  orderPaths: ['metadata.order_id'],
  paths: {},
  withApi: true,
};
const own: Answers = {
  provider: 'standard-webhooks',
  environment: 'test',
  orderPaths: [],
  paths: { id: 'id', type: 'type', order: 'data.order', version: 'data.version' },
  withApi: false,
};
const sandbox: Answers = {
  provider: 'sandbox',
  environment: 'play',
  orderPaths: [],
  paths: {},
  withApi: true,
};
const now = Date.parse('2026-11-30T12:00:00.5Z');

const cases: [string, Answers][] = [
  ['stripe with a key', stripe],
  ['stripe without', { ...stripe, withApi: false }],
  ['an own application', own],
  ['one without versions', { ...own, paths: { id: 'id', type: 'type', order: 'order' } }],
  ['the sandbox', sandbox],
];

test.each(cases)(
  '%s: nothing of the template is left, and the imports are those of a project',
  async (_, answers) => {
    const { config, definition } = await fillTemplates(answers, now);
    expect(config).not.toMatch(/'\$|\/\/ (if|else|end)\b|\.\.\/|undefined/);
    expect(config).toContain("from './machines/order.ts'");
    expect(config).toContain(`environment: '${answers.environment}'`);
    for (const effect of Object.keys(definition.effects)) expect(config).toContain(`    ${effect}: call,\n`);
  },
);

test('Stripe: mode and order go with the answers, and the key with its place', async () => {
  const { config } = await fillTemplates(stripe, now);
  expect(config).toContain("mode: 'live'");
  expect(config).toContain("order: ['metadata.order_id']");
  expect(config).toContain("apiKey: env('STRIPE_API_KEY')");
  expect(config).toContain("existingBefore: '2026-11-30T12:00:00Z'");
  const without = await fillTemplates({ ...stripe, environment: 'staging', withApi: false }, now);
  expect(without.config).toContain("mode: 'test'");
  expect(without.config).not.toContain('apiKey: env');
  expect(envFile({ ...stripe, withApi: false })).not.toContain('STRIPE_API_KEY');
});

test.each(cases)('%s: .env has every variable that the configuration needs', async (_, answers) => {
  const { config } = await fillTemplates(answers, now);
  const needed = [...config.matchAll(/env\('(\w+)'\)/g)].map(([, name = '']) => name);
  const text = envFile(answers);
  for (const name of needed) expect(text).toMatch(new RegExp(`^${name}=`, 'm'));
});

test('to a .env that is there only what is missing is added', () => {
  const there = 'export STRIPE_WEBHOOK_SECRET=whsec_mine\n# MYSQL_URL=…\n';
  const added = envFile(stripe, there);
  expect(added).not.toMatch(/STRIPE_WEBHOOK_SECRET=|MYSQL_URL=/);
  expect(added).toMatch(/^STRIPE_API_KEY=$/m);
  expect(envFile(stripe, there + added)).toBe('');
});
