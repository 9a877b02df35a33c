/**
 * Reading single fields of Stripe's JSON: amounts are whole numbers of any size in minor units; a reference may be an
 * id or, where it was expanded, the object itself.
 */
import { isRecord } from '../json.ts';
import type { Refusal } from '../provider.ts';
import { asText, optionalText } from '../read-fields.ts';

export type Fields = Record<string, unknown>;

/** Of words that are no ids: currencies, reasons. */
const MAX_WORD_BYTES = 100;

/** The id of a reference; what is no usable id counts as none. */
export function referenceOf(value: unknown): string | null {
  const id = optionalText(isRecord(value) ? value['id'] : value, 'reference');
  return id === null || 'refused' in id ? null : id.text;
}

export function wordOf(value: unknown): string | null {
  const isShort = typeof value === 'string' && value !== '' && Buffer.byteLength(value) <= MAX_WORD_BYTES;
  return isShort ? value : null;
}

/** JSON numbers beyond 2^53 come as their digits. */
export function amountOf(value: unknown): bigint | null {
  const text = asText(value);
  return text !== null && /^\d{1,40}$/.test(text) ? BigInt(text) : null;
}

const LAST_SECOND = 253_402_300_799;

/** Seconds since 1970 as an instant. */
export function instantOf(value: unknown): string | null {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > LAST_SECOND) return null;
  return new Date(value * 1_000).toISOString().replace('.000Z', 'Z');
}

export const missing = (name: string): Refusal => ({
  refused: 'field_missing',
  message: `${name} is missing`,
});
