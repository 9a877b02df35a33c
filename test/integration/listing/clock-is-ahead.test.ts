/** What a worker's own clock may not decide: until when a list was read. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { selectCursors } from '../../../src/store/cursors.ts';
import { selectServerTime } from '../../../src/store/settings.ts';
import { startSystem } from '../processes/system.ts';

const AHEAD_MS = 9 * 60_000;

test('[R41] a worker whose clock is minutes ahead hides nothing that happens until then: lists are read until now, as the database says', async () => {
  const now = Date.now.bind(Date);
  vi.spyOn(Date, 'now').mockImplementation(() => now() + AHEAD_MS);
  onTestFinished(() => void vi.restoreAllMocks());
  const { store } = await startSystem({ reconcileEveryMs: 1_000 });
  const isRead = async () => {
    const cursors = await selectCursors(store);
    return cursors.length > 0 && cursors.every(({ begunAt, listedUntil }) => listedUntil > begunAt);
  };
  await expect.poll(isRead, { timeout: 45_000, interval: 100 }).toBe(true);
  const cursors = await selectCursors(store);
  const serverMs = await selectServerTime(store);
  for (const { begunAt, listedUntil } of cursors) {
    expect(Date.parse(begunAt)).toBeLessThanOrEqual(serverMs);
    expect(Date.parse(listedUntil)).toBeLessThanOrEqual(serverMs);
  }
});
