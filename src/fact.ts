/**
 * The fact of an event or of a provider's answer: one function of its neutral type and its facts, so that the same
 * news has the same fact whatever its id, its delivery or the order its facts were written in.
 *
 * 1. Different news never share a fact: the encoding keeps where each name and value ends, and 128 bits of SHA-256
 *    are kept.
 * 2. The function never changes: facts are stored, and compared with those of years ago.
 */
import { hash } from 'node:crypto';

import type { Facts } from './ordering/state.ts';

const FACT_HEX_DIGITS = 32;

export function factOf(type: string | null, facts: Facts): string {
  const parts: (string | null)[] = [type];
  for (const name of Object.keys(facts).sort()) parts.push(name, facts[name] ?? null);
  return hash('sha256', JSON.stringify(parts), 'hex').slice(0, FACT_HEX_DIGITS);
}
