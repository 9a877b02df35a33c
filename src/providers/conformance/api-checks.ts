/** How an adapter reads its provider's API: nothing leads elsewhere, and nothing but an answer is one (R62). */
import assert from 'node:assert/strict';
import { urlBelow } from '../api-client.ts';
import type { ApiClient } from '../provider.ts';
import { requestsOf } from './requests.ts';
import type { ConformanceCheck, ProviderWorld } from './world.ts';

type Answer = Awaited<ReturnType<ApiClient['get']>>;

const NO_ANSWERS: unknown[] = [
  null,
  [],
  [null],
  7,
  'text',
  '<html></html>',
  true,
  {},
  { data: null },
  { error: 'x' },
];
const HOSTILE_IDS = [
  'a/b',
  '../../x',
  '..',
  '.',
  '//other.example/x',
  'a?b=c',
  'a&b=c',
  'a#b',
  'a%2Fb',
  '\\\\x',
  ' ',
  '😀',
];

export function apiChecks(world: ProviderWorld): ConformanceCheck[] {
  const { provider, settings } = world;
  const { parseOne, sampleText } = requestsOf(world);
  const checks: ConformanceCheck[] = [];
  const ways = {
    fetch: provider.canFetch?.(settings) === false ? undefined : provider.fetch?.bind(provider),
    find: provider.canFind?.(settings) === false ? undefined : provider.find?.bind(provider),
  };

  for (const [name, way] of Object.entries(ways)) {
    if (way === undefined) continue;
    const named = name === 'fetch' ? () => parseOne(sampleText).object : () => '1042';
    checks.push(
      {
        name: `${name}: what the provider does not have is gone, and no failure`,
        run: async () =>
          assert.deepEqual(
            await way(answering({ status: 'gone' }), named(), settings),
            name === 'fetch' ? 'gone' : [],
          ),
      },
      {
        name: `${name}: what is no answer is never taken for one`,
        async run() {
          for (const body of NO_ANSWERS) {
            // An empty list says that there are no objects.
            if (name === 'find' && Array.isArray(body) && body.length === 0) continue;
            await assert.rejects(
              async () => way(answering({ status: 'ok', body }), named(), settings),
              `taken: ${JSON.stringify(body)}`,
            );
          }
        },
      },
      {
        name: `${name}: no id leads a request elsewhere`,
        async run() {
          const object = named();
          const head = name === 'fetch' ? object.slice(0, object.indexOf(':') + 1) : '';
          const shapesFor = async (id: string): Promise<string[]> => {
            const urls: URL[] = [];
            // What becomes of it does not matter here, only where it was sent.
            await Promise.resolve(way(answering({ status: 'gone' }, urls), head + id, settings)).catch(
              () => {},
            );
            return urls.map(shapeOf);
          };
          const harmless = await shapesFor('abc');
          assert.notDeepEqual(harmless, []);
          for (const id of HOSTILE_IDS) {
            for (const shape of await shapesFor(id))
              assert(harmless.includes(shape), `${id} led to ${shape}`);
          }
        },
      },
    );
  }
  return [...checks, ...listChecks(world)];
}

const WINDOW = { sinceMs: Date.UTC(2026, 10, 30), untilMs: Date.UTC(2026, 11, 1) };
/** Within a list, where a schedule would ask for the same again and again. */
const CURSORS = ['abc', 'a/b', '../x', 'a?b=c', 'a&b=c', 'a#b', '0:a&b=c', '0:a/b', '😀'];

function listChecks({ provider, settings }: ProviderWorld): ConformanceCheck[] {
  const list = provider.list?.bind(provider);
  if (list === undefined || provider.canList?.(settings) === false) return [];
  return [
    {
      name: 'list: what is no list is never taken for one, and neither is one that is not there',
      async run() {
        await assert.rejects(async () =>
          list(answering({ status: 'gone' }), { ...WINDOW, cursor: null }, settings),
        );
        for (const body of NO_ANSWERS) {
          if (Array.isArray(body)) continue;
          await assert.rejects(
            async () => list(answering({ status: 'ok', body }), { ...WINDOW, cursor: null }, settings),
            `taken: ${JSON.stringify(body)}`,
          );
        }
      },
    },
    {
      name: 'list: no cursor leads a request elsewhere',
      async run() {
        for (const cursor of CURSORS) {
          const urls: URL[] = [];
          // What becomes of it does not matter here, only where it was sent.
          await Promise.resolve(
            list(answering({ status: 'gone' }, urls), { ...WINDOW, cursor }, settings),
          ).catch(() => {});
          for (const url of urls) {
            assert.equal(url.origin, 'https://api.example');
            assert.equal(url.hash, '');
            const said = [...url.searchParams.values(), ...url.pathname.split('/').map(decodeURIComponent)];
            assert(
              said.some((value) => cursor.endsWith(value) && value !== ''),
              `the cursor ${cursor} is not said as it is in ${url.href}`,
            );
          }
        }
      },
    },
  ];
}

/** Where an address leads, whatever the id in it is. */
const shapeOf = ({ origin, pathname, searchParams, hash }: URL): string =>
  JSON.stringify([origin, pathname.split('/').length, [...searchParams.keys()], hash]);

function answering(answer: Answer, urls: URL[] = []): ApiClient {
  return {
    async get(path) {
      urls.push(urlBelow(new URL('https://api.example/base'), path));
      return answer;
    },
  };
}
