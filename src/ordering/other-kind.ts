/**
 * Versions of one stream are compared at every look at it, so what cannot be compared with them is never kept: not of
 * an event, which fails, and not of an answer, which is none.
 */
import type { StreamState } from './state.ts';

/** Why a version has no place in its stream; null: it has. */
export function otherKind(stream: StreamState, version: string): string | null {
  const isInstant = version.endsWith('Z');
  if (stream.contract === 'sequence' && isInstant)
    return `a sequence counts by whole numbers, and ${version} is a time`;
  const known = stream.version ?? stream.word?.version ?? stream.held.find((held) => held.version)?.version;
  if (known == null || known.endsWith('Z') === isInstant) return null;
  return `versions of two kinds in one stream: ${version} and ${known}`;
}
