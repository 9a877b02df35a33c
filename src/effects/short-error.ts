/**
 * One line about an error for the record, the CLI and Temporal's history: the system's code where there is one,
 * else name and message, cut short. Never a body; and what a URL carries as user, password or query is left out,
 * because tokens live there (R4).
 */
const MAX_LENGTH = 200;

export function shortError(thrown: unknown): string {
  if (!(thrown instanceof Error)) return `thrown: ${typeof thrown}`;
  const code = systemCode(thrown);
  if (code !== null) return code;
  const line = `${thrown.name}: ${thrown.message}`
    .replace(/\s+/g, ' ')
    .replace(/\/\/[^\s/@]*@/g, '//')
    .replace(/\?[^\s"')]*=[^\s"')]*/g, '?…');
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 1)}…` : line;
}

/** `ECONNREFUSED` and its kind, also from inside fetch's wrapper or a list of tried addresses. */
export function systemCode(thrown: unknown): string | null {
  if (!(thrown instanceof Error)) return null;
  const code = (thrown as { code?: unknown }).code;
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,60}$/.test(code)) return code;
  if (thrown instanceof AggregateError) return systemCode(thrown.errors[0]);
  return systemCode(thrown.cause);
}
