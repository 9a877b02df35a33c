/**
 * Which request headers are kept with a delivery: a closed list, so that credentials (Authorization, cookies,
 * custom tokens) are never stored (R4, R9). Signatures are no secrets: they only prove what was received.
 */
const KEPT = new Set([
  'content-type',
  'content-encoding',
  'user-agent',
  'traceparent',
  'x-request-id',
  'x-forwarded-for',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
]);
const MAX_VALUE_LENGTH = 512;

export function significantHeaders(
  headers: Record<string, string[]>,
  providerHeaders: readonly string[],
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    if (!KEPT.has(name) && !providerHeaders.includes(name)) continue;
    kept[name] = (headers[name] ?? []).join(', ').slice(0, MAX_VALUE_LENGTH);
  }
  return kept;
}
