/** JSON in other letters: the same value as a careless, an exotic or a broken sender would write it. */
import fc from 'fast-check';

export interface Writing {
  /** Everything but what only looks different is left as it is. */
  isSameJson: boolean;
  escapes: 'none' | 'all';
  space: string;
  around: { before: string; after: string };
  encoding: 'utf8' | 'utf16le' | 'latin1';
}

/** As JSON.stringify would have it. */
export const PLAIN: Writing = {
  isSameJson: true,
  escapes: 'none',
  space: '',
  around: { before: '', after: '' },
  encoding: 'utf8',
};

const same = fc.record({
  isSameJson: fc.constant(true),
  escapes: fc.constantFrom('none' as const, 'all' as const),
  space: fc.constantFrom('', ' ', '\t', '\r\n'),
  around: fc.constantFrom(
    { before: '', after: '' },
    { before: ' \n', after: '\r\n' },
    { before: '\ufeff', after: '' },
  ),
  encoding: fc.constant('utf8' as const),
});
const other = fc.record({
  isSameJson: fc.constant(false),
  escapes: fc.constantFrom('none' as const, 'all' as const),
  space: fc.constantFrom('', '\u00a0', '\0', '/* */'),
  around: fc.constantFrom(
    { before: '', after: '}' },
    { before: '[', after: ']' },
    { before: '', after: '\0' },
    { before: '\ufeff\ufeff', after: '' },
    { before: ")]}'\n", after: '' },
    { before: '', after: '\n{"id":"evt_2"}' },
  ),
  encoding: fc.constantFrom('utf8' as const, 'utf16le' as const, 'latin1' as const),
});
export const writings: fc.Arbitrary<Writing> = fc.oneof({ weight: 4, arbitrary: same }, other);

export function written(
  value: Record<string, unknown>,
  changes: { at: number; json: string | null }[],
  { escapes, space, around, encoding }: Writing,
): Buffer {
  const places = placesOf(value, []);
  const replaced = new Map<string, string | null>();
  for (const { at, json } of changes) replaced.set(places[at % places.length] as string, json);
  const text = textOf(value, [], { replaced, escapes, space });
  return Buffer.from(`${around.before}${text}${around.after}`, encoding);
}

const placeOf = (path: string[]) => path.join('\n');

function placesOf(value: unknown, path: string[]): string[] {
  const own = path.length === 0 ? [] : [placeOf(path)];
  if (typeof value !== 'object' || value === null) return own;
  return [...own, ...Object.entries(value).flatMap(([key, part]) => placesOf(part, [...path, key]))];
}

interface How {
  replaced: Map<string, string | null>;
  escapes: Writing['escapes'];
  space: string;
}

function textOf(value: unknown, path: string[], how: How): string {
  const json = how.replaced.get(placeOf(path));
  if (typeof json === 'string' && path.length > 0) return json;
  if (typeof value === 'string') return quoted(value, how.escapes);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const { space } = how;
  const isList = Array.isArray(value);
  const parts = Object.entries(value)
    .filter(([key, part]) => part !== undefined && how.replaced.get(placeOf([...path, key])) !== null)
    .map(([key, part]) => {
      const text = textOf(part, [...path, key], how);
      return isList ? text : `${quoted(key, how.escapes)}${space}:${space}${text}`;
    });
  const [open, close] = isList ? '[]' : '{}';
  return `${String(open)}${space}${parts.join(`${space},${space}`)}${space}${String(close)}`;
}

const quoted = (text: string, escapes: Writing['escapes']): string =>
  escapes === 'none'
    ? JSON.stringify(text)
    : `"${[...text.split('')].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;
