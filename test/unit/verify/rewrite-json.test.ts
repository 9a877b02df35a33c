import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rewriteJson } from '../../../src/verify/rewrite-json.ts';

const written = (text: string): string[] => [...rewriteJson(text)].map((rewritten) => rewritten.text);

it("writes what other languages' standard libraries write", () => {
  const value = {
    n: 12345678901234567890n.toString(),
    url: 'https://a/b?c=1&d=<2>',
    name: 'Zoë',
    empty: {},
    list: [1, []],
  };
  const compact = JSON.stringify(value);
  const all = written(JSON.stringify(value, null, 3));
  expect(all).toContain(compact);
  expect(all).toContain(JSON.stringify(value, null, 2));
  expect(all).toContain(JSON.stringify(value, null, 4));
  expect(all).toContain(JSON.stringify(value, null, '\t'));
  // json.dumps of Python, json_encode of PHP, json.Marshal of Go.
  expect(all).toContain(
    '{"n": "12345678901234567890", "url": "https://a/b?c=1&d=<2>", "name": "Zo\\u00eb", "empty": {}, "list": [1, []]}',
  );
  expect(all).toContain(compact.replaceAll('/', '\\/').replace('ë', '\\u00eb'));
  expect(all).toContain(compact.replace('&', '\\u0026').replace('<', '\\u003c').replace('>', '\\u003e'));
});

it('never changes a number, the order of fields, or a field that stands twice', () => {
  expect(written('{"b": 1.0, "a": 12345678901234567890, "b": 1e2}')).toContain(
    '{"b":1.0,"a":12345678901234567890,"b":1e2}',
  );
});

it('any JSON, written in any way, is written back', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, 2, '\t'), (value, space) => {
      const all = written(JSON.stringify(value, null, space));
      expect(all).toContain(JSON.stringify(value));
      for (const text of all) expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

it('gives nothing for what is no JSON, or is nested beyond sense', () => {
  expect(written('{"a":')).toEqual([]);
  expect(written(`${'['.repeat(500)}${']'.repeat(500)}`)).toEqual([]);
});
