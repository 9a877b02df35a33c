/** What of an adopted order is written down and not done: rule A2 of adopt.ts. */
import type { EffectPolicy } from './machine.ts';
import { compareVersions } from './version.ts';

/** `adopted`: the instant before which everything was its former keeper's; `at`: when it happened, if that is known. */
export function isRecordedOnly(
  adopted: string | undefined,
  policy: EffectPolicy,
  at: string | null,
): boolean {
  if (adopted === undefined) return false;
  return policy.once === 'order' || at === null || compareVersions(at, adopted) < 0;
}
