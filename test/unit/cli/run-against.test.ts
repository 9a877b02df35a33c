import { expect, it } from 'vitest';
import { untouchedLines } from '../../../src/cli/run-against.ts';

const STATUSES = ['new', 'open', 'paid', 'shipped', 'cancelled'];
const row = (type: string): string[] => STATUSES.map((status) => `${type} ${status}`);

it('names the cells of a type that no story touched, or those it did where they are fewer', () => {
  const cells = [...row('a.none'), ...row('a.few'), ...row('a.most'), ...row('a.all'), 'b.half paid own'];
  const untouched = [
    ...row('a.none'),
    ...row('a.few').filter((cell) => !cell.endsWith(' paid')),
    'a.most cancelled',
    'b.half paid own',
  ];
  expect(untouchedLines([...cells, 'b.half paid other'], untouched)).toEqual([
    'a.none: all 5 cells',
    'a.few: all but paid',
    'a.most: cancelled',
    'b.half: paid (own)',
  ]);
});
