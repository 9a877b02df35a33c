import { describe, expect, it } from 'vitest';
import { factOf } from '../../../src/fact.ts';
import type { TypeMap } from '../../../src/providers/mapped-type.ts';
import type { ProviderSnapshot } from '../../../src/providers/provider.ts';
import { readAnswer } from '../../../src/providers/read-answer.ts';

const read = (answer: Partial<ProviderSnapshot>, types: TypeMap = {}) =>
  readAnswer(
    { type: 'payment.captured', facts: { amount: '500' }, ...answer },
    { stream: 'money/payment:1', asOf: 7, types },
  );

describe('an answer, as the core gets it', () => {
  it('has the fact that an event of the same news has', () => {
    expect(read({})).toEqual({
      stream: 'money/payment:1',
      type: 'payment.captured',
      version: null,
      payment: null,
      fact: factOf('payment.captured', { amount: '500' }),
      facts: { amount: '500' },
      asOf: 7,
      parts: [],
    });
  });

  it("has the type of the team's own map, before the adapter's", () => {
    expect(read({ providerType: 'settled' }, { settled: 'payment.refunded' })).toMatchObject({
      type: 'payment.refunded',
      fact: factOf('payment.refunded', { amount: '500' }),
    });
    expect(read({ providerType: 'settled' }, { settled: null })).toMatchObject({ type: null });
    expect(read({ providerType: 'settled' }, { other: null })).toMatchObject({ type: 'payment.captured' });
    expect(read({}, { settled: null })).toMatchObject({ type: 'payment.captured' });
  });

  it('gives a function of the team the object as the API gave it, or the answer where the adapter keeps it to itself', () => {
    const types: TypeMap = {
      settled: (body) => (body as { paid?: boolean; type?: string }).type ?? 'order.paid',
    };
    expect(read({ providerType: 'settled', body: { paid: true } }, types)).toMatchObject({
      type: 'order.paid',
    });
    expect(read({ providerType: 'settled' }, types)).toMatchObject({ type: 'payment.captured' });
  });

  it('without a type that anybody knows is none, nor with a function that gives nothing', () => {
    expect(() => read({ type: undefined })).toThrow('no type that is known');
    expect(() => read({ providerType: 'x' }, { x: () => '' })).toThrow('gave no type');
    expect(() => read({ version: 'yesterday' })).toThrow('neither an integer nor an instant');
  });

  it('keeps when things were made, in one form, and no time that is none', () => {
    const parts = [
      { type: 'payment.refunded', facts: {}, createdAt: '2026-01-01T01:00:00+01:00' },
      { type: 'payment.refunded', facts: {}, createdAt: 'then' },
    ];
    const answer = read({ createdAt: '2026-01-01T00:00:00.000Z', parts });
    expect(answer.createdAt).toBe('2026-01-01T00:00:00Z');
    expect(answer.parts.map(({ createdAt }) => createdAt)).toEqual(['2026-01-01T00:00:00Z', undefined]);
  });

  it('is none where a fact of it could not be kept: two refunds that differ in it would be one effect', () => {
    const broken = { refund: 're_\ud83d' };
    expect(() => read({ facts: broken })).toThrow('well-formed');
    expect(() => read({ parts: [{ type: 'payment.refunded', facts: broken }] })).toThrow('well-formed');
    expect(() => read({ facts: { note: 'x'.repeat(256) } })).toThrow('255 bytes');
  });
});
