import { expect, test } from 'vitest';
import type { Source } from '../../../src/config/resolved.ts';
import { whyNotRead } from '../../../src/operations/reconcile-source.ts';
import { sandbox } from '../../../src/providers/sandbox.ts';
import { stripe } from '../../../src/providers/stripe/stripe.ts';

const NOW = Date.UTC(2026, 10, 30);
const DAY = 86_400_000;
const source = (more: Partial<Source>) =>
  ({ name: 'shop', provider: stripe, lists: true, ...more }) as Source;
const last = (days: number) => ({ sinceMs: NOW - days * DAY, untilMs: NOW });

test('a window is read that its provider still lists', () => {
  expect(whyNotRead(source({}), last(29), NOW)).toBeNull();
  expect(whyNotRead(source({ provider: sandbox }), last(400), NOW)).toBeNull();
});

test('what cannot be read is said, with what to do', () => {
  expect(whyNotRead(source({}), last(31), NOW)).toMatch(/lists only the last 30d: give a later --since/);
  expect(whyNotRead(source({}), last(0), NOW)).toMatch(/--since must be before --until/);
  expect(whyNotRead(source({ lists: false }), last(1), NOW)).toMatch(/'inorder orders reconcile'/);
});
