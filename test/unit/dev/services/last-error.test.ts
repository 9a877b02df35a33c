import { expect, it } from 'vitest';
import { lastErrorIn } from '../../../../src/dev/services/last-error.ts';

const json = (level: string, msg: string, error?: unknown) =>
  JSON.stringify({ level, component: 'worker', msg, error });

it.each([
  [
    'our own report, with its list, before what the log says of it',
    [
      json('error', 'going down'),
      'inorder: The configuration is not usable:',
      '  - sources.shop: no secret [config_invalid]',
    ],
    'The configuration is not usable:\n  - sources.shop: no secret',
  ],
  [
    'of repeated log lines the last error alone, without its stack',
    [
      json('warn', 'The database is not there yet', { message: 'refused', stack: 'at x' }),
      json('fatal', 'the process ends', { message: 'connect ECONNREFUSED', stack: 'Error\n at y' }),
      json('info', 'stopped'),
    ],
    'the process ends: connect ECONNREFUSED',
  ],
  [
    'what a database server says before it gives up',
    [
      '2026-01-01 [Note] Starting',
      '2026-01-01 [ERROR] InnoDB: The data is of a later version',
      '2026-01-01 [ERROR] Aborting',
    ],
    '2026-01-01 [ERROR] InnoDB: The data is of a later version',
  ],
  ['the last line where none is an error', ['one', 'two', ''], 'two'],
  ['half a line of JSON as it is', ['{"level":"info"}', '{"level":"err'], '{"level":"err'],
  ['that there is nothing', [], 'it said nothing'],
])('tells %s', (_, lines, told) => {
  expect(lastErrorIn(lines.join('\n'))).toBe(told);
});
