import { expect, test } from 'vitest';
import { rowsIn, titlesIn } from '../../check/test-titles.ts';

test('titles are found, in whatever way a test is written', () => {
  const text = [
    "test('[R1] one', async () => {});",
    "it.each([[1, ')'], [2, 'b']])('[R2] two of %s', () => {});",
    'test.concurrent(\n  `[R3] three`,\n  () => {},\n);',
    "describe('[R5, R6] it\\'s four', () => {});",
    "expect(test).toBe('[R9] none');",
  ].join('\n');
  expect(titlesIn(text)).toEqual(['[R1] one', '[R2] two of %s', '[R3] three', "[R5, R6] it's four"]);
});

test('rows are read one by one and in lists', () => {
  expect(rowsIn('[R5, R6] and [R7][R8 R9] but not R10 or [R]')).toEqual(['R5', 'R6', 'R7', 'R8', 'R9']);
});
