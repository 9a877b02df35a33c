/**
 * JSON as providers send it, without losing a digit: an integer beyond 2^53 comes back as the string of its
 * digits (R12). Refuses bytes that are no UTF-8 and texts that end too early, by name.
 */
import { parse as parseLossless } from 'lossless-json';
import type { Refusal } from './provider.ts';

/** The slow parser is taken only when a number in the text could lose digits. */
const LONG_NUMBER = /\d{16}/;

export function parseJsonText(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text);
  return parseLossless(text, null, (digits) => {
    const number = Number(digits);
    return Number.isInteger(number) && !Number.isSafeInteger(number) && /^-?\d+$/.test(digits)
      ? digits
      : number;
  });
}

/** An object, or why the body is none. A byte order mark is skipped: it is signed, and it means nothing. */
export function parseJsonBody(body: Buffer): { value: Record<string, unknown> } | Refusal {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return { refused: 'body_malformed', message: 'the body is not UTF-8' };
  }
  if (text.trim() === '') return { refused: 'body_empty', message: 'the body is empty' };
  let value: unknown;
  try {
    value = parseJsonText(text);
  } catch {
    return endsEarly(text)
      ? { refused: 'body_truncated', message: 'the body ends in the middle of its JSON' }
      : { refused: 'body_malformed', message: 'the body is not JSON' };
  }
  if (!isRecord(value)) return { refused: 'body_malformed', message: 'the body is not a JSON object' };
  return { value };
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parsers word this differently from version to version; open brackets and strings can simply be counted. */
function endsEarly(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (inString) {
      if (char === '\\') i++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') depth--;
  }
  return inString || depth > 0;
}
