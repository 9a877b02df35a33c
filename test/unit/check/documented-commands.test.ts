import { expect, test } from 'vitest';
import { commandsIn, findWrongCommand } from '../../check/documented-commands.ts';

test('commands are found in blocks and in spans, without prompts, comments and what is chained', () => {
  const page = [
    'Type `inorder orders list` or `npm run demo`, see `inorder.config.ts`.',
    '```sh',
    '$ npm ci && npm run demo -- --exit --orders 60 # a storm',
    'inorder orders show 1042 --json | jq .',
    '```',
  ].join('\n');
  expect(commandsIn(page)).toEqual([
    'npm run demo -- --exit --orders 60',
    'inorder orders show 1042 --json',
    'inorder orders list',
    'npm run demo',
  ]);
});

test.each([
  'inorder orders show 1042 --json',
  'inorder demo --exit --orders 60',
  'npm run demo -- --exit',
  'inorder --help',
])('%s exists', (line) => {
  expect(findWrongCommand(line, ['demo'])).toBeNull();
});

test.each([
  ['inorder order show', 'inorder has no command order'],
  ['inorder demo --forever', 'demo has no option --forever'],
  ['npm run dmeo', 'package.json has no script dmeo'],
  ['npm run demo -- --forever', 'demo has no option --forever'],
])('%s: %s', (line, problem) => {
  expect(findWrongCommand(line, ['demo'])).toBe(problem);
});
