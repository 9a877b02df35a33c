/**
 * The neutral type of a provider's word, in an event as in an answer: by the source's own `types`, over the
 * adapter's. The team's functions may throw; that is an outcome, not an accident.
 */
import { whereThrown } from '../where-thrown.ts';
import { shown } from './shown.ts';

/** The team's own map: a neutral type, null (known, not wanted), or a function of the body. */
export type TypeMap = Record<string, string | null | ((body: unknown) => string | null)>;

export type MappedType =
  { kind: 'known'; type: string | null } | { kind: 'unknown' } | { kind: 'failed'; reason: string };

export interface ToldType {
  /** The provider's own word, where there is one. */
  providerType?: string;
  /** What the adapter makes of it. */
  type: string | null | undefined;
}

/** `body` is read only for a function. */
export function mappedType(
  types: TypeMap,
  { providerType, type }: ToldType,
  body: () => unknown,
): MappedType {
  const isOwn = providerType !== undefined && Object.hasOwn(types, providerType);
  const own = isOwn ? types[providerType] : type;
  if (own === undefined) return { kind: 'unknown' };
  if (typeof own !== 'function') return { kind: 'known', type: own };
  try {
    const mapped: unknown = own(body());
    if (mapped === null || (typeof mapped === 'string' && mapped !== ''))
      return { kind: 'known', type: mapped };
    return { kind: 'failed', reason: `types: the function of "${shown(providerType ?? '')}" gave no type` };
  } catch (thrown) {
    return { kind: 'failed', reason: `types: ${whereThrown(thrown)}` };
  }
}
