const UNIT_MS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Milliseconds of a duration such as `500ms`, `30s`, `5m`, `24h` or `7d`; null when the text is none.
 * A bare number is refused on purpose: nobody can guess its unit.
 */
export function parseDurationMs(text: string): number | null {
  const match = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h|d)$/.exec(text);
  if (!match) return null;
  const ms = Number(match[1]) * (UNIT_MS[match[2] as string] as number);
  return Number.isSafeInteger(ms) ? ms : null;
}
