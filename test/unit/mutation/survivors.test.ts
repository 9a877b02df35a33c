import { expect, test } from 'vitest';
import { changeOf, compareWith, readSurvivors } from '../../mutation/survivors.ts';

const FILE = 'src/ordering/place.ts';
const tried = (change: string, isNoticed: boolean, line = 1) => ({
  file: FILE,
  place: `${FILE}:${line}:1`,
  change,
  isNoticed,
});

test('a change that no test notices is unexplained unless it is listed, once for each time it is written', () => {
  const list = { [FILE]: [{ reason: 'why', changes: ['a → b'] }] };
  const { unexplained, needless } = compareWith(list, [
    tried('a → b', false, 1),
    tried('a → b', false, 2),
    tried('c → d', true),
  ]);
  expect(unexplained.map(({ place }) => place)).toEqual([`${FILE}:2:1`]);
  expect(needless).toEqual([]);
});

test('one that is listed and noticed is told, of the files that were tried', () => {
  const list = {
    [FILE]: [{ reason: 'why', changes: ['a → b'] }],
    'src/ordering/judge.ts': [{ reason: 'why', changes: ['e → f'] }],
  };
  expect(compareWith(list, [tried('a → b', true)])).toEqual({
    unexplained: [],
    needless: [{ file: FILE, change: 'a → b' }],
  });
});

test('a long change is told by its beginning and its end', () => {
  expect(changeOf('x  ===\n y', 'true')).toBe('x === y → true');
  expect(changeOf('a'.repeat(200), '{}')).toBe(`${'a'.repeat(80)} … ${'a'.repeat(30)} → {}`);
});

test('each change in the list has its reason', () => {
  expect(Object.keys(readSurvivors('test/mutation/survivors.yaml')).length).toBeGreaterThan(0);
});
