import { createHash } from 'node:crypto';
import type { Machine } from '../ordering/machine.ts';

/** SHA-256 over the canonical JSON of a machine: the order of keys does not count, that of lists does. */
export function machineDigest(machine: Machine): string {
  return createHash('sha256').update(canonicalJson(machine)).digest('hex');
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`;
}
