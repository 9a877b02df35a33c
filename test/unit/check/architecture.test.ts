import { expect, test } from 'vitest';
import { compareToTree } from '../../check/architecture.ts';

const FILES = ['src/log.ts', 'src/store/orders.ts', 'src/store/links.ts', 'workflows/order.ts'];
const PAGE = `
# The way of a webhook
\`src/log.ts\` writes lines. \`workflows/order.ts\` is the loop.
## Rows: \`src/store/\`
- \`orders.ts\`: orders
- \`links.ts\`: links
`;

test('a page that names every file is right', () => {
  expect(compareToTree(PAGE, FILES)).toEqual([]);
});

test('a file without its place is found', () => {
  expect(compareToTree(PAGE, [...FILES, 'src/store/effects.ts'])).toEqual([
    'src/store/effects.ts is not named in ARCHITECTURE.md',
  ]);
});

test('a place without its file is found', () => {
  expect(compareToTree(`${PAGE}- \`effects.ts\`: effects`, FILES)).toEqual([
    'ARCHITECTURE.md names src/store/effects.ts, which is not there',
  ]);
});

test('the mention of a folder is not a place for its files, a pattern is', () => {
  expect(compareToTree('`src/cli/` has commands', ['src/cli/orders.ts'])).toHaveLength(1);
  expect(compareToTree('`src/cli/*.ts`: one command each', ['src/cli/orders.ts'])).toEqual([]);
});
