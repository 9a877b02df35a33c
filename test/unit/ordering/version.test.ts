import fc from 'fast-check';
import { expect, it } from 'vitest';

import { canonicalInstant } from '../../../src/ordering/version.ts';

it('an instant in canonical form is its own canonical form, whatever way it took', () => {
  const written = fc
    .tuple(
      fc.date({
        min: new Date('1900-01-01T00:00:00Z'),
        max: new Date('2400-01-01T00:00:00Z'),
        noInvalidDate: true,
      }),
      fc.stringMatching(/^\d{0,12}$/),
      fc.constantFrom('Z', 'z', '+00:00', '-00:00', '+05:30', '-11:45'),
    )
    .map(
      ([date, fraction, zone]) => `${date.toISOString().slice(0, 19)}${fraction && `.${fraction}`}${zone}`,
    );
  fc.assert(
    fc.property(written, (text) => {
      const canonical = canonicalInstant(text);
      expect(canonical).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d*[1-9])?Z$/);
      expect(canonicalInstant(canonical ?? '')).toBe(canonical);
      // A lower-case zone takes the long way to the same form.
      expect(canonicalInstant((canonical ?? '').replace('Z', 'z'))).toBe(canonical);
    }),
  );
});

it.each([
  '2026-02-29T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-04-31T00:00:00Z',
  '2026-11-31T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-00-10T00:00:00Z',
  '2026-01-01T24:00:00Z',
])('the instant %s, which does not exist, has none', (text) => {
  expect(canonicalInstant(text)).toBeNull();
});
