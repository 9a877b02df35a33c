import { expect, test } from 'vitest';
import { keyProblem, secretProblem } from '../../../../src/providers/stripe/credentials.ts';
import type { SourceSettings } from '../../../../src/providers/provider.ts';

const settings = (mode: string | null): SourceSettings => ({
  ...{ name: 'stripe', environment: 'live', toleranceMs: 1, orderPaths: [], paths: {}, account: null },
  ...{ requests: {}, mode },
});

test.each([
  ['whsec_abc', null],
  ['sk_live_hidden', 'is an API key'],
  ['hidden', 'does not begin with whsec_'],
])('a signing secret %s', (value, problem) => {
  expect(secretProblem(value) ?? '').toContain(problem ?? '');
  expect(secretProblem(value) === null).toBe(problem === null);
  expect(secretProblem(value) ?? '').not.toContain('hidden');
});

test.each([
  ['rk_live_hidden', 'live', null],
  ['rk_test_hidden', null, null],
  ['rk_test_hidden', 'live', 'is of test mode and the source of live mode'],
  ['sk_live_hidden', 'live', 'may do everything'],
  ['pk_live_hidden', 'live', 'may not read'],
  ['whsec_hidden', 'live', 'does not look like one of Stripe'],
])('a key %s of a source in %s mode', (key, mode, problem) => {
  const found = keyProblem(key, settings(mode));
  expect(found === null).toBe(problem === null);
  expect(found ?? '').toContain(problem ?? '');
  expect(found ?? '').not.toContain('hidden');
});
