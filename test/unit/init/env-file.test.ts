import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Answers } from '../../../src/init/answers.ts';
import { envFile } from '../../../src/init/env-file.ts';

const answers = { provider: 'stripe', withApi: true } as Answers;

describe('a .env that is there', () => {
  it.each([
    'STRIPE_WEBHOOK_SECRET = whsec_own',
    '  STRIPE_WEBHOOK_SECRET=whsec_own',
    'export STRIPE_WEBHOOK_SECRET=whsec_own',
    'export STRIPE_WEBHOOK_SECRET =whsec_own',
  ])('keeps its values, however they are written: %j', (line) => {
    const there = `OTHER=1\n${line}\n`;
    expect(parseEnv(there)['STRIPE_WEBHOOK_SECRET']).toBe('whsec_own');
    const after = parseEnv(there + envFile(answers, there));
    expect(after).toMatchObject({ OTHER: '1', STRIPE_WEBHOOK_SECRET: 'whsec_own', STRIPE_API_KEY: '' });
  });
});
