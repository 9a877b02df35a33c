/** One effect: how far it is, what asked for it, what persons said about it, and what may be done about it now. */
import { judgePerson } from '../effects/judge-person.ts';
import type { EffectAction, EffectCause, Facts } from '../ordering/state.ts';
import { selectEffect } from '../store/effects.ts';
import { listEffects } from '../store/effect-listing.ts';
import { selectJournal } from '../store/journal.ts';
import { selectMachine } from '../store/machines.ts';
import { showOrder } from '../store/order-listing.ts';
import type { Queryable } from '../store/store.ts';
import { lineOf } from './list-effects.ts';
import type { EffectLine } from './list-effects.ts';
import { effectCommand } from './what-to-do.ts';

export interface EffectPage extends EffectLine {
  /** Attempts that did not end well since it was asked for, or since a person had it tried again. */
  failures: number;
  /** An attempt may have been done, as far as is known. */
  mayBeDone: boolean;
  cause: EffectCause;
  facts: Facts;
  /** The step that asked for it. */
  from: string;
  to: string;
  said: { at: string; what: string }[];
  commands: string[];
}

const ACTIONS: EffectAction[] = ['retry', 'confirm', 'skip'];
const MAX_JOURNAL = 10_000;

/** null: there is no such effect. */
export async function showEffect(db: Queryable, key: string): Promise<EffectPage | null> {
  const [found] = await listEffects(db, { key, limit: 1 });
  const row = found === undefined ? null : await selectEffect(db, found.id);
  if (found === undefined || row === null) return null;
  const order = await showOrder(db, found.order);
  const machine =
    order === null ? null : await selectMachine(db, found.order.machine, order.state.machineVersion);
  const possible = ACTIONS.filter((action) => {
    const context = {
      row,
      action,
      seen: null,
      status: order?.status ?? '',
      policy: machine?.effects[row.name],
    };
    return judgePerson(context).kind === 'change';
  });
  const journal = await selectJournal(db, found.order, { limit: MAX_JOURNAL });
  const body = JSON.parse(row.body.toString('utf8')) as {
    order: { status: string; previous: string };
    cause: EffectCause;
    facts: Facts;
  };
  return {
    ...lineOf(found),
    failures: row.failures,
    mayBeDone: row.unknownSinceMs !== null || row.state === 'running',
    cause: body.cause,
    facts: body.facts,
    from: body.order.previous,
    to: body.order.status,
    said: journal
      .filter(({ kind, reason }) => kind === 'effect' && reason?.includes(` ${key},`) === true)
      .map(({ recordedAt, reason }) => ({ at: recordedAt, what: reason ?? '' })),
    commands: possible.map((action) => effectCommand(action, key)),
  };
}
