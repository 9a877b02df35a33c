import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { factOf } from '../../src/fact.ts';

describe('the fact of a type and its facts', () => {
  it('is the same whatever order the facts are written in', () => {
    expect(factOf('payment.refunded', { refund: 're_1', amount: '500' })).toBe(
      factOf('payment.refunded', { amount: '500', refund: 're_1' }),
    );
  });

  it('differs by type, by name, by value, and between no type and the word null', () => {
    const facts = [
      factOf('a', {}),
      factOf('b', {}),
      factOf(null, {}),
      factOf('null', {}),
      factOf('a', { x: '1' }),
      factOf('a', { y: '1' }),
      factOf('a', { x: '2' }),
      factOf('a', { x: '1', y: '' }),
      factOf('a', { x: '', '1': 'y' }),
      factOf('a', { 'x,1': 'y' }),
      factOf('a', { x: '1,y' }),
    ];
    expect(new Set(facts).size).toBe(facts.length);
  });

  it('is equal for equal news only, whatever the texts contain', () => {
    const news = fc.tuple(
      fc.option(fc.string({ unit: 'binary' }), { nil: null }),
      fc.dictionary(fc.string(), fc.string(), { maxKeys: 4 }),
    );
    const canonical = ([type, facts]: [string | null, Record<string, string>]): string =>
      JSON.stringify([type, Object.entries(facts).sort(([a], [b]) => (a < b ? -1 : 1))]);
    fc.assert(
      fc.property(news, news, (a, b) => {
        expect(factOf(...a) === factOf(...b)).toBe(canonical(a) === canonical(b));
      }),
    );
  });

  it('never changes: stored facts are compared with those of years ago', () => {
    expect(factOf('payment.refunded', { refund: 're_1', amount: '500' })).toBe(
      'f18db3f2af7de931a3a099beecb9a649',
    );
  });
});
