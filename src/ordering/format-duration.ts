const UNITS: [string, number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
];

/** Milliseconds in the largest unit that leaves a whole number, as `parseDurationMs` reads it: `24h`, `90s`, `500ms`. */
export function formatDuration(ms: number): string {
  for (const [unit, unitMs] of UNITS) {
    // A day is written `24h`, as people set deadlines; from two days on in days.
    if (ms > 0 && ms % unitMs === 0 && !(unit === 'd' && ms === unitMs)) return `${ms / unitMs}${unit}`;
  }
  return `${ms}ms`;
}
