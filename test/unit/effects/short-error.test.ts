import { describe, expect, it } from 'vitest';

import { shortError, systemCode } from '../../../src/effects/short-error.ts';

const coded = (code: string, cause?: unknown) => Object.assign(new Error('secret text', { cause }), { code });

describe('shortError', () => {
  it("says the system's code and nothing else where there is one", () => {
    expect(shortError(coded('ECONNREFUSED'))).toBe('ECONNREFUSED');
    expect(shortError(new TypeError('fetch failed', { cause: coded('ECONNRESET') }))).toBe('ECONNRESET');
    expect(systemCode(new AggregateError([coded('ETIMEDOUT'), coded('EHOSTUNREACH')]))).toBe('ETIMEDOUT');
  });

  it('is one short line', () => {
    const line = shortError(new Error(`no\nstock ${'x'.repeat(1_000)}`));
    expect(line).toMatch(/^Error: no stock x+…$/);
    expect(line).toHaveLength(200);
  });

  it('leaves out what a URL carries as user, password or query', () => {
    const line = shortError(new Error('GET https://anna:s3cret@shop.example/a?token=abc failed (429)'));
    expect(line).toBe('Error: GET https://shop.example/a?… failed (429)');
  });

  it.each([['text'], [42], [null], [undefined], [{ password: 'x' }]])(
    'never shows a thrown value that is no error',
    (thrown) => {
      expect(shortError(thrown)).toBe(`thrown: ${typeof thrown}`);
    },
  );
});
