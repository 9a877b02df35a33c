import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { expect, it } from 'vitest';
import { scheduledAtMs } from '../../../src/temporal/scheduled-at.ts';

it('is an instant of the server, whatever the clock of this process says', () => {
  const context = { info: { currentAttemptScheduledTimestampMs: 1_234_567 } } as Context;
  expect(asyncLocalStorage.run(context, scheduledAtMs)).toBe(1_234_567);
});
