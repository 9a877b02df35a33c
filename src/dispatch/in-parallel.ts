/** Runs `work` over all items, at most `limit` at once; the first failure rejects after those under way ended. */
export async function inParallel<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < items.length) await work(items[next++] as T);
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(limit, items.length) }, lane));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
