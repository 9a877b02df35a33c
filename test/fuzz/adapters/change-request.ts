/** Single changes of a signed request: each is what a stranger, a proxy or a broken wire may do to it. */
import fc from 'fast-check';

export interface ChangeableRequest {
  headers: [string, string][];
  body: Buffer;
}

export type RequestChange =
  /** One bit of the body, or of a header's value. `at` counts from its beginning, and around. */
  | { do: 'flip'; of: 'body' | number; at: number; bit: number }
  | { do: 'cut'; of: 'body' | number; at: number; length: number }
  | { do: 'insert'; of: 'body' | number; at: number; text: string }
  | { do: 'drop' | 'repeat' | 'upper case'; header: number }
  | { do: 'say'; header: number; text: string }
  | { do: 'turn headers' }
  | { do: 'other header'; text: string }
  /** A genuine signature over the request as it is now. */
  | { do: 'sign' };

const of = fc.oneof(fc.constant('body' as const), fc.nat(3));
const at = fc.nat(400);

export const requestChanges = (texts: fc.Arbitrary<string>): fc.Arbitrary<RequestChange> =>
  fc.oneof(
    fc.record({ do: fc.constant('flip' as const), of, at, bit: fc.nat(7) }),
    fc.record({ do: fc.constant('cut' as const), of, at, length: fc.integer({ min: 1, max: 80 }) }),
    fc.record({ do: fc.constant('insert' as const), of, at, text: texts }),
    fc.record({
      do: fc.constantFrom('drop' as const, 'repeat' as const, 'upper case' as const),
      header: fc.nat(3),
    }),
    fc.record({ do: fc.constant('say' as const), header: fc.nat(3), text: texts }),
    fc.constant({ do: 'turn headers' as const }),
    fc.record({ do: fc.constant('other header' as const), text: texts }),
    fc.constant({ do: 'sign' as const }),
  );

/** Says nothing about who sent what. */
export const isHarmless = (change: RequestChange): boolean =>
  ['upper case', 'turn headers', 'other header'].includes(change.do);

export function changed(
  request: ChangeableRequest,
  change: RequestChange,
  sign: (request: ChangeableRequest) => [string, string][],
): ChangeableRequest {
  const { headers, body } = request;
  switch (change.do) {
    case 'flip':
      return edited(request, change.of, (bytes) => flipped(bytes, change.at, change.bit));
    case 'cut':
      return edited(request, change.of, (bytes) => {
        const from = bytes.length === 0 ? 0 : change.at % bytes.length;
        return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + change.length)]);
      });
    case 'insert':
      return edited(request, change.of, (bytes) => {
        const where = change.at % (bytes.length + 1);
        return Buffer.concat([bytes.subarray(0, where), Buffer.from(change.text), bytes.subarray(where)]);
      });
    case 'drop':
      return { body, headers: headers.filter((_, index) => index !== change.header) };
    case 'repeat': {
      const again = headers[change.header];
      return again === undefined ? request : { body, headers: [...headers, again] };
    }
    case 'upper case':
      return {
        body,
        headers: headers.map(([name, value], index) =>
          index === change.header ? [name.toUpperCase(), value] : [name, value],
        ),
      };
    case 'say':
      return {
        body,
        headers: headers.map(([name, value], index) => [name, index === change.header ? change.text : value]),
      };
    case 'turn headers':
      return { body, headers: headers.toReversed() };
    case 'other header':
      return { body, headers: [...headers, ['x-other', change.text]] };
    case 'sign':
      return { body, headers: sign(request) };
  }
}

function edited(
  { headers, body }: ChangeableRequest,
  of: 'body' | number,
  edit: (bytes: Buffer) => Buffer,
): ChangeableRequest {
  if (of === 'body') return { headers, body: edit(body) };
  return {
    body,
    // A header's bytes are single characters, as Node reads them.
    headers: headers.map(([name, value], index) =>
      index === of ? [name, edit(Buffer.from(value, 'latin1')).toString('latin1')] : [name, value],
    ),
  };
}

function flipped(bytes: Buffer, at: number, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  if (copy.length > 0) copy[at % copy.length] = (copy[at % copy.length] ?? 0) ^ (1 << bit);
  return copy;
}
