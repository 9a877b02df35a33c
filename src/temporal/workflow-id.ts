/**
 * The name an order goes by in Temporal: `<machine>/<environment>/<order id>`, readable where it can be.
 *
 * Invariants:
 * 1. Two different keys never share an id: parts are percent-encoded, so the slashes between them cannot come
 *    from inside, and `~` (never the result of encoding) marks the shortened form.
 * 2. At most 255 bytes of plain ASCII, because Temporal's own tables hold no more (R12: whatever the id was).
 */
import { createHash } from 'node:crypto';
import type { OrderKey } from '../ordering/state.ts';

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

export const workflowIdOf = (key: OrderKey): string => joinKeyParts([key.machine, key.environment, key.id]);
