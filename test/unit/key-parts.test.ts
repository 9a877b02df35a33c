import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeKeyPart, joinKeyParts } from '../../src/key-parts.ts';

const part = fc.string({ unit: fc.oneof(fc.constantFrom('/', '%', '~', '2', 'F', ' ', 'é'), fc.string()) });

describe('names made of parts', () => {
  test('every byte that could be mistaken is percent-encoded', () => {
    expect(encodeKeyPart('a/b')).toBe('a%2Fb');
    expect(encodeKeyPart('a%2Fb')).toBe('a%252Fb');
    expect(encodeKeyPart('Zürich ~')).toBe('Z%C3%BCrich%20%7E');
  });

  test('two different lists never share a name, whatever is in them', () => {
    const parts = fc.tuple(part, part, part);
    fc.assert(
      fc.property(parts, parts, (a, b) => {
        // The store keeps UTF-8: what is the same there is the same order.
        const bytes = (parts: string[]) => JSON.stringify(parts.map((p) => Buffer.from(p).toString('hex')));
        expect(joinKeyParts(a) === joinKeyParts(b)).toBe(bytes(a) === bytes(b));
      }),
    );
  });
});
