/** docs/standard-webhooks.md names what the adapter knows. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FACT_NAMES, FIELD_NAMES } from '../../../src/providers/standard-webhooks-settings.ts';

const page = readFileSync('docs/standard-webhooks.md', 'utf8');
const section = (title: string): string => page.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';

it('lists every path', () => {
  const listed = [...section('Paths').matchAll(/^\| `([\w.<>]+)`/gm)].map(([, name]) => name);
  expect(new Set(listed)).toEqual(new Set([...FIELD_NAMES, 'facts.<name>']));
});

it('lists every fact', () => {
  const listed = [...(section('Facts').split(': texts')[0] ?? '').matchAll(/`(\w+)`/g)].map(
    ([, name]) => name,
  );
  expect(listed).toEqual([...FACT_NAMES]);
});
