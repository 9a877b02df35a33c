/** What an event says: its type, facts, mode and account; and what the provider is answered. */
import assert from 'node:assert/strict';
import { requestsOf } from './requests.ts';
import type { ConformanceCheck, ProviderWorld } from './world.ts';

const TYPE = /^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*$/;
const MAX_FACTS = 16;
const MAX_FACT_BYTES = 255;

export function eventChecks(world: ProviderWorld): ConformanceCheck[] {
  const { provider } = world;
  const { parseOne, sampleText, sampleWith } = requestsOf(world);
  const bodyOf = (word: string): string =>
    world.sampleOf === undefined ? sampleWith(world.typePath, word) : JSON.stringify(world.sampleOf(word));

  return [
    {
      name: 'types: every word it knows becomes a type or nothing',
      run() {
        for (const [word, type] of Object.entries(provider.types)) {
          assert(type === null || TYPE.test(type), `${word}: '${type}' is no type`);
          const event = parseOne(bodyOf(word));
          assert.deepEqual([event.providerType, event.type], [word, type]);
        }
      },
    },
    {
      name: 'types: a word it does not know is kept, and is unknown',
      run() {
        for (const word of ['something.new', 'constructor', '__proto__', 'toString']) {
          const event = parseOne(sampleWith(world.typePath, word));
          assert.deepEqual([event.providerType, event.type], [word, undefined]);
        }
      },
    },
    {
      name: 'identity: the same bytes are the same event, and it names itself among its objects',
      run() {
        const event = parseOne(sampleText);
        assert.deepEqual(parseOne(sampleText), event);
        assert.notEqual(event.eventId, '');
        assert(event.refs.includes(event.object), 'refs do not hold the object');
      },
    },
    {
      name: 'facts: at most sixteen short texts, and none says who somebody is',
      run() {
        const { facts } = parseOne(sampleText);
        assert(Object.keys(facts).length <= MAX_FACTS, 'too many facts');
        for (const [name, value] of Object.entries(facts)) {
          assert.equal(typeof value, 'string', name);
          assert(Buffer.byteLength(value) <= MAX_FACT_BYTES, `${name} is too long`);
        }
        const shown = JSON.stringify(facts);
        for (const word of world.personal) {
          assert(sampleText.includes(word), `the sample does not hold ${word}`);
          assert(!shown.includes(word), `a fact holds ${word}`);
        }
      },
    },
    ...(['mode', 'account'] as const).flatMap((field) => {
      const own = world[field];
      if (own === undefined) return [];
      return [
        {
          name: `${field}: an event says its ${field}`,
          run() {
            for (const [value, shown] of own.texts)
              assert.equal(parseOne(sampleWith(own.path, value))[field], shown);
          },
        },
      ];
    }),
    {
      name: 'acknowledgement: a known event is answered with success as a new one is',
      run() {
        const answers = [true, false].map((known) => provider.acknowledge?.(known));
        for (const answer of answers) {
          if (answer === undefined) continue;
          assert(answer.status >= 200 && answer.status < 300, `${answer.status} is no success`);
          assert.equal(typeof answer.body, 'string');
          assert.notEqual(answer.contentType, '');
        }
      },
    },
  ];
}
