import type { StreamState } from './state.ts';
import { addToVersion, compareVersions } from './version.ts';

/** Takes one number out of the ranges that were passed over. */
export function removeMissing(stream: StreamState, version: string | null): void {
  if (version === null || stream.missing.length === 0) return;
  stream.missing = stream.missing.flatMap(([from, to]): [string, string][] => {
    if (compareVersions(version, from) < 0 || compareVersions(version, to) > 0) return [[from, to]];
    const parts: [string, string][] = [];
    if (from !== version) parts.push([from, addToVersion(version, -1)]);
    if (to !== version) parts.push([addToVersion(version, 1), to]);
    return parts;
  });
  forgetSince(stream);
}

/** Takes out every number up to and including `version`: an answer covers them. */
export function coverMissing(stream: StreamState, version: string): void {
  stream.missing = stream.missing.flatMap(([from, to]): [string, string][] => {
    if (compareVersions(to, version) <= 0) return [];
    return [[compareVersions(from, version) <= 0 ? addToVersion(version, 1) : from, to]];
  });
  forgetSince(stream);
}

function forgetSince(stream: StreamState): void {
  if (stream.missing.length === 0) stream.missingSince = null;
}
