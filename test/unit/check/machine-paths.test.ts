import { expect, test } from 'vitest';
import { machinePaths } from '../../check/machine-paths.ts';
import { treeOf } from './tree.ts';

const home = ['', 'home', 'me', 'inorder'].join('/');
const root = ['', 'root', '.cache', 'x'].join('/');
const privateHost = ['192', '168', '1', '7'].join('.');

test.each([`cd ${home}`, `"${root}"`, `http://${privateHost}:8080/`])('%s is found', async (text) => {
  expect(await machinePaths.findProblems(treeOf({ 'docs/page.md': `fine\n${text}\n` }))).toEqual([
    expect.stringMatching(/^docs\/page\.md:2: /),
  ]);
});

test.each([
  ['src', 'work', 'home.ts'].join('/'),
  'https://shop.example/home/start',
  'http://127.0.0.1:8080/',
  '/usr/sbin/mariadbd',
])('%s is everywhere', async (text) => {
  expect(await machinePaths.findProblems(treeOf({ 'docs/page.md': text }))).toEqual([]);
});
