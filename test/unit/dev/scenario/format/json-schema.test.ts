import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { storyJsonSchema } from '../../../../../src/dev/scenario/format/json-schema.ts';

test('docs/scenario.schema.json is the format: `inorder scenario schema` writes it', () => {
  const written: unknown = JSON.parse(readFileSync('docs/scenario.schema.json', 'utf8'));
  expect(written).toEqual(JSON.parse(JSON.stringify(storyJsonSchema())));
});
