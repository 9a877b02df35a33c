/**
 * What every provider's adapter must do, whatever its scheme: a list of named checks over the provider's world, to be
 * handed to any test runner. Nothing in here knows a scheme or a runner.
 */
import { apiChecks } from './api-checks.ts';
import { bodyChecks } from './body-checks.ts';
import { eventChecks } from './event-checks.ts';
import { signatureChecks } from './signature-checks.ts';
import type { ConformanceCheck, ProviderWorld } from './world.ts';

export const conformanceChecks = (world: ProviderWorld): ConformanceCheck[] => [
  ...signatureChecks(world),
  ...bodyChecks(world),
  ...eventChecks(world),
  ...apiChecks(world),
];
