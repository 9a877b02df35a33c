/** One reading of a source's list per kind of thing that can be in its history, on the real stack; each to its end. */
import { expect } from 'vitest';
import { beginCursor, openWindow } from '../../src/store/cursors.ts';
import { PROGRESS_QUERY } from '../../workflows/messages.ts';
import type { ReconcileProgress, ReconcileSourceInput } from '../../workflows/messages.ts';
import type { System } from '../integration/processes/system.ts';

type Start = (input: ReconcileSourceInput) => Promise<{
  query: (name: string) => Promise<unknown>;
  result: () => Promise<unknown>;
}>;

export type Listing = (system: System, start: Start) => Promise<ReconcileProgress>;

/** The schedule's own reading, without the schedule: its worker keeps none for a source that asks for it too late. */
const readAsScheduled = ({ config }: System): void =>
  void Object.assign(config.sources.get('shop') ?? {}, { reconcile: { everyMs: 3_600_000 } });

/** More than one page of the sandbox, about one order. */
function tellMuch({ newOrder }: System): void {
  const order = newOrder();
  order.created();
  for (let count = 0; count < 100; count++) order.say(`order:${order.id}`, 'order.note_added');
  order.cancelled();
}

export const LISTINGS: Record<string, Listing> = {
  'list-read-in-pages': async (system, start) => {
    readAsScheduled(system);
    await beginCursor(system.store, 'shop', Date.now() - 60_000);
    tellMuch(system);
    const run = await start({ v: 1, source: 'shop', byHand: null });
    return (await run.result()) as ReconcileProgress;
  },
  'list-window-resumed': async (system, start) => {
    const { store, newOrder } = system;
    const nowMs = Date.now();
    readAsScheduled(system);
    await beginCursor(store, 'shop', nowMs - 60_000);
    await openWindow(store, 'shop', { nowMs: nowMs - 30_000, lateMs: 2_000, listsForMs: Infinity });
    newOrder().created();
    const run = await start({ v: 1, source: 'shop', byHand: null });
    return (await run.result()) as ReconcileProgress;
  },
  'list-limited-and-by-hand': async (system, start) => {
    const { shop, newOrder } = system;
    const untilMs = Date.now() + 1_000;
    newOrder().created();
    shop.sandbox.setMood({ perSecond: 0 });
    const byHand = { sinceMs: untilMs - 60_000, untilMs, isDryRun: false };
    const run = await start({ v: 1, source: 'shop', byHand });
    const waitsFor = async () => ((await run.query(PROGRESS_QUERY)) as ReconcileProgress).waitsFor;
    await expect.poll(waitsFor, { timeout: 30_000 }).toBe('the API answered 429');
    shop.sandbox.setMood({ perSecond: null });
    return (await run.result()) as ReconcileProgress;
  },
};
