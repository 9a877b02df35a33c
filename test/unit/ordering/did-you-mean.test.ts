import { expect, it } from 'vitest';
import { didYouMean } from '../../../src/ordering/did-you-mean.ts';

const KNOWN = ['paid', 'cancelled', 'awaiting_payment', 'INORDER_PORT'];

it.each([
  ['payed', 'paid'],
  ['piad', 'paid'],
  ['PAID', 'paid'],
  ['canceled', 'cancelled'],
  ['awaiting_paymnet', 'awaiting_payment'],
  ['INORDER_PROT', 'INORDER_PORT'],
])('%s is taken for a slip of %s', (name, meant) => {
  expect(didYouMean(name, KNOWN)).toBe(` Did you mean '${meant}'?`);
});

it.each(['shipped', 'x', '', 'refunded'])('%s is another word, and nothing is suggested', (name) => {
  expect(didYouMean(name, KNOWN)).toBe('');
});
