/** fast-check with a share of the runs that a property asks for, always the same ones, and no search for a short one. */
import fc from 'fast-check';

export function fewerRuns(share: number): typeof fc {
  const assert = ((property: never, given: { numRuns?: number } = {}) =>
    fc.assert(property, {
      seed: 1,
      ...given,
      numRuns: Math.ceil((given.numRuns ?? 100) * share),
      endOnFailure: true,
    })) as typeof fc.assert;
  const sample = ((property: never, given: { numRuns: number; seed: number }) =>
    fc.sample(property, { ...given, numRuns: Math.ceil(given.numRuns * share) })) as typeof fc.sample;
  return { ...fc, assert, sample };
}
