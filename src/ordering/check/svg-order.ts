/** A table of a hundred statuses is drawn worse, and not in minutes. */
const MOST_TRIES = 5_000;

/**
 * An order of a few things that costs little: swaps and moves are tried as long as one of them helps. Always the
 * same for the same things, and good enough for a drawing.
 */
export function inBestOrder<T>(items: readonly T[], costOf: (order: T[]) => number): T[] {
  let best = [...items];
  let cost = costOf(best);
  let tries = 0;
  for (let hasImproved = true; hasImproved;) {
    hasImproved = false;
    for (const order of neighboursOf(best)) {
      if (tries++ > MOST_TRIES) return best;
      const other = costOf(order);
      if (other >= cost) continue;
      best = order;
      cost = other;
      hasImproved = true;
      break;
    }
  }
  return best;
}

function* neighboursOf<T>(order: T[]): Generator<T[]> {
  for (let from = 0; from < order.length; from++)
    for (let to = 0; to < order.length; to++) {
      if (from === to) continue;
      const moved = [...order];
      moved.splice(to, 0, ...moved.splice(from, 1));
      yield moved;
      if (from > to) continue;
      const swapped = [...order];
      [swapped[from], swapped[to]] = [order[to] as T, order[from] as T];
      yield swapped;
    }
}
