/** Instants of the processes (epoch milliseconds, with a fraction) as DATETIME(6) columns take them, in UTC. */
export function toDatetime(epochMs: number): string {
  const wholeMs = Math.floor(epochMs);
  const micros = Math.min(999, Math.floor((epochMs - wholeMs) * 1_000));
  const iso = new Date(wholeMs).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 23)}${String(micros).padStart(3, '0')}`;
}
