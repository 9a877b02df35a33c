/**
 * What outside monitors ask. `readiness`: can this process store a delivery now; Temporal is not asked, since
 * deliveries are taken without it (R6). `healthReport`: turns red when accepted events stop being applied (R56), and
 * while effects stand still because the store was restored (R44).
 *
 * 1. However often it is asked, the store sees one question a second at most, and no answer takes longer than
 *    `timeoutMs`.
 * 2. No answer names an order, an event or an address.
 */
import { measureBacklog } from '../store/event-claims.ts';
import { selectRestores } from '../store/restores.ts';
import type { Store } from '../store/store.ts';

export interface HealthDeps {
  store: Store;
  /** Red when the oldest event that no workflow has taken is older. */
  untakenLimitMs: number;
  maxAgeMs?: number;
  timeoutMs?: number;
}

export interface HealthReport {
  status: 'ok' | 'failing';
  checks: {
    store: 'ok' | 'unavailable';
    /** Events that no workflow has taken yet; null: unknown. */
    untaken: number | null;
    /** Seconds since the oldest of them was received; null: unknown. */
    oldestUntakenSeconds: number | null;
    untakenLimitSeconds: number;
    /** Since when no effect begins because the store was restored; null: effects run. */
    restoredSince: string | null;
  };
}

export interface Health {
  isReady(): Promise<boolean>;
  report(): Promise<HealthReport>;
}

/** A limit that ordinary outages of Temporal do not reach before the sweeper had its turns. */
export const untakenLimit = (redeliverAfterMs: number): number => redeliverAfterMs * 3 + 60_000;

export function createHealth(deps: HealthDeps): Health {
  const { store, untakenLimitMs, maxAgeMs = 1_000, timeoutMs = 2_000 } = deps;
  const isReady = remembered(maxAgeMs, async () => {
    const rows = await within(timeoutMs, store.query('SELECT 1'));
    return rows !== null;
  });
  const backlog = remembered(maxAgeMs, () =>
    within(
      timeoutMs,
      Promise.all([measureBacklog(store), selectRestores(store)]).then(([untaken, { openSinceMs }]) => ({
        ...untaken,
        openSinceMs,
      })),
    ),
  );
  const report = async (): Promise<HealthReport> => {
    const untaken = await backlog();
    const oldestMs = untaken?.oldestAgeMs ?? 0;
    const openSinceMs = untaken?.openSinceMs ?? null;
    const isWell = untaken !== null && oldestMs <= untakenLimitMs && openSinceMs === null;
    return {
      status: isWell ? 'ok' : 'failing',
      checks: {
        store: untaken === null ? 'unavailable' : 'ok',
        untaken: untaken?.count ?? null,
        oldestUntakenSeconds: untaken === null ? null : Math.round(oldestMs / 1_000),
        untakenLimitSeconds: Math.round(untakenLimitMs / 1_000),
        restoredSince: openSinceMs === null ? null : new Date(openSinceMs).toISOString(),
      },
    };
  };
  return { isReady, report };
}

/** Asked again only when the last answer is older than `maxAgeMs`; who asks meanwhile shares it. */
function remembered<T>(maxAgeMs: number, ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | null = null;
  let answeredAt = 0;
  let isOpen = false;
  return () => {
    if (answer !== null && (isOpen || performance.now() - answeredAt < maxAgeMs)) return answer;
    isOpen = true;
    answer = ask().finally(() => {
      isOpen = false;
      answeredAt = performance.now();
    });
    return answer;
  };
}

/** The answer, or null when there is none in time; why not is in the log of those who need the store. */
async function within<T>(timeoutMs: number, asked: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, null);
  });
  try {
    return await Promise.race([asked.catch(() => null), timeUp]);
  } finally {
    clearTimeout(timer);
  }
}
