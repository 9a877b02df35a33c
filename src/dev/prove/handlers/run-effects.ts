/**
 * What the shop does on entry to a status: looks whether it was done, does it, remembers it. No key goes with the call,
 * as none goes with a mail or with most calls inside a company; the event's id travels along, so that the proof can say
 * how much a receiver that knows it would have kept back.
 */
import type { Pool } from 'mysql2/promise';
import { EFFECTS_OF, isDuplicate, type CrashPoint } from './handler.ts';
import { markSent, wasSent } from './shop-database.ts';

interface Shop {
  db: Pool;
  effectsUrl: string;
  event: string;
  reached: (point: CrashPoint) => void;
}

export async function runEffects(
  { db, effectsUrl, event, reached }: Shop,
  order: string,
  status: string,
  refunds: readonly string[],
): Promise<void> {
  for (const name of EFFECTS_OF[status] ?? []) {
    for (const about of name === 'bookRefund' ? refunds : ['']) {
      if (await wasSent(db, order, name, about)) continue;
      await call(effectsUrl, { name, order, about, event });
      reached('done');
      await markSent(db, order, name, about).catch((error: unknown) => {
        if (!isDuplicate(error)) throw error;
      });
    }
  }
}

async function call(url: string, effect: object): Promise<void> {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(effect) });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`the effect was answered ${answer.status}`);
}
