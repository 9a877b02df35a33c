import { describe, expect, test } from 'vitest';
import { freshStream } from '../../../src/ordering/fresh-state.ts';
import { coverMissing, removeMissing } from '../../../src/ordering/missing.ts';

function passedOver(...ranges: [string, string][]) {
  const stream = freshStream('sequence', '100');
  stream.missing = ranges;
  stream.missingSince = 5;
  return stream;
}

describe('numbers that were passed over', () => {
  test('leave one by one, from either end or the middle of their range', () => {
    const stream = passedOver(['3', '9']);
    for (const version of ['3', '9', '6']) removeMissing(stream, version);
    expect(stream.missing).toEqual([
      ['4', '5'],
      ['7', '8'],
    ]);
  });

  test('stay when another number settles', () => {
    const stream = passedOver(['3', '3']);
    for (const version of ['2', '5', null]) removeMissing(stream, version);
    expect(stream.missing).toEqual([['3', '3']]);
  });

  test('are covered up to an answer’s version', () => {
    const stream = passedOver(['3', '5'], ['8', '12']);
    coverMissing(stream, '9');
    expect(stream.missing).toEqual([['10', '12']]);
    coverMissing(stream, '7');
    expect(stream.missing).toEqual([['10', '12']]);
    coverMissing(stream, '10');
    expect(stream.missing).toEqual([['11', '12']]);
    coverMissing(stream, '12');
    expect(stream.missing).toEqual([]);
  });

  test('are compared as numbers of any size', () => {
    const stream = passedOver(['9007199254740993', '9007199254740995']);
    removeMissing(stream, '9007199254740994');
    expect(stream.missing).toEqual([
      ['9007199254740993', '9007199254740993'],
      ['9007199254740995', '9007199254740995'],
    ]);
  });

  test('stop being a gap when none is left, and not before', () => {
    const stream = passedOver(['3', '4']);
    removeMissing(stream, '3');
    expect(stream.missingSince).toBe(5);
    removeMissing(stream, '4');
    expect(stream).toMatchObject({ missing: [], missingSince: null });
  });
});
