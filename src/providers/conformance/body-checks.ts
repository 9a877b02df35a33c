/** What the reading of a body must do, whatever was signed (R2, R8, R12). */
import assert from 'node:assert/strict';
import { isRefusal } from '../provider.ts';
import { noise, pathsOf, requestsOf, withPath } from './requests.ts';
import type { ConformanceCheck, ProviderWorld } from './world.ts';

const IDS = [
  'Ab',
  'aB',
  ' a ',
  'a\u0308',
  '\u00e4',
  '😀',
  'a\u2028b',
  'a\tb',
  'a\r\nb',
  '0012',
  'x'.repeat(190),
];
const NUMBERS = ['83897661450506698701', '83897661450506698702', '9007199254740993', '7'];
const NOT_JSON_OBJECTS = ['null', '[]', '"text"', '17', '{} {}', '<html></html>', 'id=1&type=x'];
const ODD_VALUES = [
  null,
  true,
  0,
  -1,
  1.5,
  '',
  'x',
  [],
  [[null]],
  {},
  { a: 1 },
  '\ud83d',
  'x'.repeat(10_000),
];

export function bodyChecks(world: ProviderWorld): ConformanceCheck[] {
  const { requestOf, verify, parse, parseOne, refusalOf, sampleText, sampleWith } = requestsOf(world);

  return [
    {
      name: 'body: however its JSON is laid out, it is the same event',
      run() {
        const plain = parseOne(sampleText);
        const pretty = JSON.stringify(world.sample(), null, 2);
        const bodies = {
          'pretty-printed': pretty,
          CRLF: pretty.replaceAll('\n', '\r\n'),
          'a byte order mark': `\uFEFF${pretty}`,
          'blank lines around it': `\n${pretty}\n`,
          'escaped slashes': sampleText.replaceAll('/', '\\/'),
          // Within texts only: `false` is spelt in one way.
          'escaped letters': sampleText.replaceAll(/"[^"]*"/g, (text) => text.replaceAll('a', '\\u0061')),
        };
        for (const [what, body] of Object.entries(bodies)) {
          assert.deepEqual(verify(requestOf(body)), { secretId: 'a' }, what);
          assert.deepEqual(parseOne(body), plain, what);
        }
      },
    },
    {
      name: 'body: one that ends early is refused, at every byte',
      run() {
        const body = Buffer.from(sampleText);
        assert.equal(refusalOf(''), 'body_empty');
        assert.equal(refusalOf(' \n'), 'body_empty');
        for (let end = 1; end < body.length; end += 1) {
          // Half a character is no UTF-8 at all.
          const code = refusalOf(body.subarray(0, end));
          assert(code === 'body_truncated' || code === 'body_malformed', `${end} bytes: ${code}`);
        }
      },
    },
    {
      name: 'body: what is no JSON object in UTF-8 is refused',
      run() {
        for (const body of NOT_JSON_OBJECTS) assert.equal(refusalOf(body), 'body_malformed', body);
        const latin1 = Buffer.from(sampleText.replace('{', '{"\u00fc":"\u00df",'), 'latin1');
        assert.equal(refusalOf(latin1), 'body_malformed', 'Latin-1');
        assert.equal(refusalOf(Buffer.from(`\uFEFF${sampleText}`, 'utf16le')), 'body_malformed', 'UTF-16');
      },
    },
    {
      name: 'body: nothing that was signed makes it throw',
      run() {
        const verdictsOf = (body: Buffer | string): void => {
          for (const verdict of parse(body)) assert.equal(typeof verdict, 'object');
        };
        for (const bytes of noise(100)) verdictsOf(bytes);
        for (const path of pathsOf(world.sample())) {
          for (const value of ODD_VALUES) verdictsOf(sampleWith(path, value));
        }
      },
    },
    ...world.requiredPaths.map((path) => ({
      name: `body: an event without ${path} is refused`,
      run() {
        for (const absent of [undefined, null])
          assert.equal(refusalOf(sampleWith(path, absent)), 'field_missing', String(absent));
        for (const wrong of ['', {}, [], true, 1.5])
          assert.equal(refusalOf(sampleWith(path, wrong)), 'field_invalid', JSON.stringify(wrong));
      },
    })),
    ...world.ids.map(({ path, shown }) => ({
      name: `body: ${path} keeps its bytes, and all twenty digits of a number`,
      run() {
        for (const id of IDS) assert.equal(shown(parseOne(sampleWith(path, id))), id);
        const marked = sampleWith(path, '@@');
        for (const digits of NUMBERS)
          assert.equal(shown(parseOne(marked.replaceAll('"@@"', digits))), digits);
      },
    })),
    ...world.ids.map(({ path }) => ({
      name: `body: half a character and a flood in ${path} are refused`,
      run() {
        assert.equal(refusalOf(sampleWith(path, 'a\ud83d')), 'field_invalid');
        assert.equal(refusalOf(sampleWith(path, 'x'.repeat(5_000))), 'field_invalid');
      },
    })),
    ...batchChecks(world),
  ];
}

function batchChecks(world: ProviderWorld): ConformanceCheck[] {
  const { batch, requiredPaths } = world;
  const [required] = requiredPaths;
  if (batch === undefined || required === undefined) return [];
  const { parse, parseOne } = requestsOf(world);
  return [
    {
      name: 'body: of several items a bad one spoils none of the others',
      run() {
        const good = world.sample();
        const bad = withPath(world.sample(), required, undefined);
        const verdicts = parse(JSON.stringify(batch([good, bad, good])));
        assert.deepEqual(
          verdicts.map((verdict) => isRefusal(verdict)),
          [false, true, false],
        );
        assert.deepEqual(verdicts[0], parseOne(JSON.stringify(batch([good]))));
        assert.deepEqual(verdicts[2], verdicts[0]);
      },
    },
  ];
}
