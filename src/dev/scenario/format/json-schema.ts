/** The format of a story for editors, as JSON Schema: docs/scenario.schema.json is written from here. */
import { z } from 'zod';
import { scenarioSchema } from './scenario.ts';

export function storyJsonSchema(): unknown {
  return {
    ...z.toJSONSchema(scenarioSchema, { io: 'input', unrepresentable: 'any' }),
    title: 'A story for inorder',
  };
}
