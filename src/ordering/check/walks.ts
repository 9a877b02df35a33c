/** What can be true of one stream: walks over a machine's cells, with the facts a provider would tell. */
import type { Machine } from '../machine.ts';
import type { Facts } from '../state.ts';
import { cellOf } from '../table.ts';

export interface Word {
  type: string;
  payment: string | null;
  facts: Facts;
}

/** A walk and the statuses it leads through, the first included. */
export interface Walk {
  words: Word[];
  statuses: string[];
}

/** Every walk of at most `length` steps from the initial status, the shorter ones first. */
export function walksOf(machine: Machine, length: number, payment: string | null): Walk[] {
  const walks: Walk[] = [];
  let ends: Walk[] = [{ words: [], statuses: [machine.initial] }];
  for (let step = 0; step < length; step++) {
    ends = ends.flatMap((walk) => longer(machine, walk, payment));
    walks.push(...ends);
  }
  return walks;
}

function longer(machine: Machine, walk: Walk, payment: string | null): Walk[] {
  const from = walk.statuses.at(-1) as string;
  return Object.keys(machine.on).flatMap((type) => {
    const cell = cellOf(machine, from, type, true);
    if (cell.kind !== 'step') return [];
    return [
      {
        words: [...walk.words, wordOf(walk, type, payment)],
        statuses: [...walk.statuses, cell.status],
      },
    ];
  });
}

function wordOf(walk: Walk, type: string, payment: string | null): Word {
  return { type, payment: type.startsWith('order.') ? null : payment, facts: factsOf(walk, type) };
}

/** A refund has a name of its own; one that failed names the last. */
function factsOf(walk: Walk, type: string): Facts {
  const isRefund = (one: string) => one === 'payment.partially_refunded' || one === 'payment.refunded';
  const before = walk.words.filter((word) => isRefund(word.type)).length;
  if (type === 'refund.failed') return { refund: `re_${before}` };
  return isRefund(type) ? { refund: `re_${before + 1}` } : {};
}
