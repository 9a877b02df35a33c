import { expect, test } from 'vitest';
import { Closing } from '../../../src/processes/closing.ts';

function closingOf(...names: string[]) {
  const ended: string[] = [];
  const lines: string[] = [];
  const closing = new Closing((line) => lines.push(line));
  for (const name of names) closing.add(name, () => ended.push(name));
  return { closing, ended, lines };
}

test('what was started last ends first', async () => {
  const { closing, ended } = closingOf('the store', 'the listener');
  await closing.close();
  expect(ended).toEqual(['the listener', 'the store']);
});

test('an end that fails is told and keeps nothing else open', async () => {
  const { closing, ended, lines } = closingOf('the store');
  closing.add('the listener', () => Promise.reject(new Error('stuck')));
  await closing.close();
  expect(ended).toEqual(['the store']);
  expect(lines).toEqual(['could not end the listener: stuck']);
});

test('a second call ends nothing again and waits for the first', async () => {
  const { closing, ended } = closingOf();
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  closing.add('the listener', () => held.then(() => ended.push('the listener')));
  const both = Promise.all([closing.close(), closing.close()]);
  release();
  await both;
  expect(ended).toEqual(['the listener']);
});

test('what is started while all is being ended is ended, too', async () => {
  const { closing, ended } = closingOf();
  const closed = closing.close();
  closing.add('the listener', () => ended.push('the listener'));
  await closed;
  await closing.close();
  expect(ended).toEqual(['the listener']);
});
