/** Signatures as their schemes' own texts and packages give them, good and bad: `<name>.json` beside this file. */
import { readFileSync } from 'node:fs';

export interface SignatureVector {
  id: string;
  what: string;
  secret: string;
  headers: Record<string, string>;
  body?: string;
  bodyRepeat?: { char: string; count: number };
  nowSeconds: number;
  toleranceSeconds: number;
  valid: boolean;
}

export const vectorsIn = (name: string): SignatureVector[] =>
  JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8')) as SignatureVector[];
