/**
 * Names made of parts: an order's id in Temporal, an effect's idempotency key. Readable where they can be.
 *
 * 1. Two different lists of parts never share a name: parts are percent-encoded, so the slashes between them cannot
 *    come from inside, and `~` (never the result of encoding) marks the shortened form.
 * 2. At most 255 bytes of plain ASCII, which Temporal's tables, our key columns and HTTP headers all hold (R12:
 *    whatever the id was).
 */
import { createHash } from 'node:crypto';

const MAX_BYTES = 255;
const DIGEST_MARK = '~';

/** Letters, digits, `-`, `_` and `.` stay, every other byte of the UTF-8 form becomes `%XX`. */
export function encodeKeyPart(part: string): string {
  if (/^[A-Za-z0-9._-]*$/.test(part)) return part;
  let encoded = '';
  for (const byte of Buffer.from(part, 'utf8')) {
    const character = String.fromCharCode(byte);
    encoded += /[A-Za-z0-9._-]/.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}

/** Parts joined by slashes; what would be too long keeps a readable head and ends in a SHA-256 of the whole. */
export function joinKeyParts(parts: string[]): string {
  const whole = parts.map(encodeKeyPart).join('/');
  if (whole.length <= MAX_BYTES) return whole;
  const digest = createHash('sha256').update(whole).digest('hex');
  const head = whole.slice(0, MAX_BYTES - digest.length - DIGEST_MARK.length).replace(/%.?$/, '');
  return `${head}${DIGEST_MARK}${digest}`;
}
