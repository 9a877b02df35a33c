/** The shop's order id inside one of Stripe's objects. */
import { isRecord } from '../json.ts';
import type { Refusal } from '../provider.ts';
import type { Fields } from './fields.ts';
import { optionalText } from '../read-fields.ts';

const METADATA = 'metadata.';

/** The first of the paths that leads to something; an empty text, as shops write for "none yet", is nothing. */
export function orderIn(object: Fields, paths: readonly string[]): { text: string } | Refusal | null {
  for (const path of paths) {
    const value = valueAt(object, path);
    if (value === '') continue;
    const id = optionalText(value, `data.object.${path}`);
    if (id !== null) return id;
  }
  return null;
}

/** The keys of metadata may hold dots themselves. */
function valueAt(object: Fields, path: string): unknown {
  const key = metadataKey(path);
  const keys = key === null ? path.split('.') : ['metadata', key];
  let at: unknown = object;
  for (const name of keys) {
    if (!isRecord(at) || !Object.hasOwn(at, name)) return undefined;
    at = at[name];
  }
  return at;
}

/** The key under which the path looks in metadata, or null when it leads elsewhere. */
export const metadataKey = (path: string): string | null =>
  path.startsWith(METADATA) && path.length > METADATA.length ? path.slice(METADATA.length) : null;
