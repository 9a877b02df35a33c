import { expect, test } from 'vitest';
import { pageOf } from '../../report/requirements-page.ts';

test('a row has its tests beneath it, without the ids in their titles', () => {
  const page = pageOf([
    { file: 'test/integration/a.test.ts', title: 'the door > [R5, R7] a repeat is known' },
    { file: 'test/integration/b.test.ts', title: '[R7] two copies are one' },
    { file: 'test/integration/c.test.ts', title: 'shows nothing' },
  ]);
  const seven = page.slice(page.indexOf('## R7\n'), page.indexOf('## R8\n'));
  expect(seven.split('\n').filter((line) => line.startsWith('- '))).toEqual([
    '- the door > a repeat is known (`test/integration/a.test.ts`)',
    '- two copies are one (`test/integration/b.test.ts`)',
  ]);
  expect(page).not.toContain('shows nothing');
});
