/** Runs the conformance checks over an adapter of this house; its words must be the neutral ones, too. */
import { describe, expect, it } from 'vitest';
import { conformanceChecks } from '../../../src/providers/conformance/checks.ts';
import type { ProviderWorld } from '../../../src/providers/conformance/world.ts';
import { NEUTRAL_TYPES } from '../../../src/providers/neutral-types.ts';

export function describeConformance(world: ProviderWorld): void {
  describe(`${world.provider.name}: conformance`, () => {
    it.each(conformanceChecks(world))('$name', async ({ run: assertConforms }) => {
      await assertConforms();
    });

    it('types: in the one vocabulary of all adapters', () => {
      const types = Object.values(world.provider.types).filter((type) => type !== null);
      expect(types.filter((type) => !NEUTRAL_TYPES.some((neutral) => neutral === type))).toEqual([]);
    });
  });
}
