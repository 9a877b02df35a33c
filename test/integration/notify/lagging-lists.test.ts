import { expect, test } from 'vitest';
import type { AttentionNews, Config, Source } from '../../../src/config/resolved.ts';
import { createOpenListing } from '../../../activities/open-listing.ts';
import { lists } from '../../../src/doctor/lists.ts';
import type { Patient } from '../../../src/doctor/check.ts';
import { createLog } from '../../../src/log.ts';
import { createLagReporter } from '../../../src/notify/lagging-lists.ts';
import { createNotifier } from '../../../src/notify/notifier.ts';
import { stripe } from '../../../src/providers/stripe/stripe.ts';
import { beginCursor, noteFailure, selectCursors, turnPage } from '../../../src/store/cursors.ts';
import { functionHandler } from '../effects/order-with-effects.ts';
import { judge, storeEvents } from '../operations/judged-order.ts';
import { migratedStore } from '../store/migrated-store.ts';

const DAY = 86_400_000;
const BEGUN = Date.parse('2026-11-01T00:00:00Z');

test('[R41] a list that its provider is about to forget unread is told of once, with what to do, and so is its end', async () => {
  const { store } = await migratedStore();
  const key = { machine: 'order', environment: 'live', id: '1042' };
  await storeEvents(store, [{ eventId: 'e1', type: 'order.created', version: '1' }]);
  await judge(store, key);
  const source = { name: 'shop', provider: stripe, lists: true, reconcile: { everyMs: 900_000 } } as Source;
  const config = { sources: new Map([['shop', source]]), notify: 'pageUs' } as Config;
  let now = BEGUN;
  const told: AttentionNews[] = [];
  const handler = functionHandler(
    async ({ attention }) => {
      if (attention) told.push(attention);
      await Promise.resolve();
    },
    { name: 'pageUs' },
  );
  const log = createLog('silent', 'test');
  const reporters = [1, 2].map(() => createLagReporter({ store, config, log, now: () => now }));
  const look = async () => {
    await Promise.all(reporters.map((reporter) => reporter.runOnce()));
    await createNotifier({ store, handler, log }).runOnce();
  };
  const doctor = () => lists.look({ store, config, now: () => now } as Patient);
  const openListing = createOpenListing({ store, config, log, now: () => Promise.resolve(now) });

  expect(await doctor()).toMatchObject([{ verdict: 'warn', seen: 'its list was never read' }]);
  await beginCursor(store, 'shop', BEGUN);
  now += 10 * 60_000;
  expect(await doctor()).toMatchObject([{ verdict: 'ok', of: 'shop' }]);
  now = BEGUN + 2 * 3_600_000;
  expect(await doctor()).toMatchObject([
    { verdict: 'warn', fix: expect.stringContaining('inorder reconcile shop') },
  ]);

  now = BEGUN + 14 * DAY;
  await look();
  expect(told).toEqual([]);
  await noteFailure(store, 'shop', 'the API answered 401');
  now = BEGUN + 16 * DAY;
  await look();
  await look();
  expect(told).toMatchObject([{ kind: 'reconcile', source: 'shop', began: 1, ended: 0 }]);
  expect(told[0]?.reason).toMatch(
    /read until 2026-11-01T00:00:00Z; its provider forgets what is not read within 14d; its API: the API answered 401: look at its runs .*`inorder reconcile shop --since/,
  );

  // What was forgotten is not asked for, and the rest is.
  now = BEGUN + 31 * DAY;
  expect(await doctor()).toMatchObject([{ seen: expect.stringContaining('has begun to forget') }]);
  const window = await openListing({ source: 'shop' });
  expect(window).toMatchObject({ sinceMs: BEGUN + DAY, untilMs: now, page: null, isResumed: false });
  expect(await openListing({ source: 'shop' })).toEqual({ ...window, isResumed: true });
  await turnPage(store, 'shop', { window: { sinceMs: BEGUN + DAY, untilMs: now }, page: null, next: 'p2' });
  // A second attempt at the same page moves nothing.
  await turnPage(store, 'shop', { window: { sinceMs: BEGUN + DAY, untilMs: now }, page: null, next: null });
  expect(await openListing({ source: 'shop' })).toMatchObject({ page: 'p2', isResumed: true });
  await turnPage(store, 'shop', { window: { sinceMs: BEGUN + DAY, untilMs: now }, page: 'p2', next: null });
  expect(await selectCursors(store)).toMatchObject([
    { isOpen: false, failingSince: null, error: null, isTold: true },
  ]);
  expect(await openListing({ source: 'shop' })).toMatchObject({ sinceMs: now - 300_000, untilMs: now });
  now += 1_000;
  await look();
  expect((await selectCursors(store))[0]?.isTold).toBe(false);
});

test('[R41] the first window begins with the source, and none before', async () => {
  const { store } = await migratedStore();
  const source = { name: 'shop', provider: stripe, lists: true, reconcile: { everyMs: 900_000 } } as Source;
  const config = { sources: new Map([['shop', source]]), notify: null } as unknown as Config;
  const log = createLog('silent', 'test');
  const openListing = createOpenListing({ store, config, log, now: () => Promise.resolve(BEGUN + 60_000) });
  expect(await openListing({ source: 'shop' })).toBeNull();
  await beginCursor(store, 'shop', BEGUN);
  await beginCursor(store, 'shop', BEGUN + 30_000);
  expect(await openListing({ source: 'shop' })).toMatchObject({ sinceMs: BEGUN, untilMs: BEGUN + 60_000 });
  expect(await openListing({ source: 'gone' })).toBeNull();
});
