import { expect, it } from 'vitest';
import { tellRefused } from '../../../src/dev/refused-webhooks.ts';
import { writeRefusals } from '../../../src/store/refusals.ts';
import { migratedStore } from '../store/migrated-store.ts';

it('tells of webhooks that are refused while dev is up, in one line for each reason', async () => {
  const { store } = await migratedStore();
  const refuse = (reason: string, count: number, message: string) =>
    writeRefusals(store, [
      { source: 'shop', reason, count, samples: [{ atMs: Date.now(), message, headers: {} }] },
    ]);
  await refuse('signature_invalid', 7, 'of yesterday');
  const lines: string[] = [];
  const ending = new AbortController();
  let looks = 0;
  const query = <Row>(...args: Parameters<typeof store.query>): Promise<Row[]> => {
    looks += 1;
    return store.query<Row>(...args);
  };
  const telling = tellRefused({
    ...{ store: { ...store, query }, signal: ending.signal, lookEveryMs: 5 },
    say: (line) => lines.push(line),
  });
  await expect.poll(() => looks).toBeGreaterThan(1);
  expect(lines).toEqual([]);

  await refuse('type_unknown', 1, 'the type "order.packed" is not known here');
  await expect
    .poll(() => lines)
    .toEqual(['shop: a webhook was refused, type_unknown: the type "order.packed" is not known here']);
  await refuse('signature_invalid', 2, 'no active secret of this source confirms the signature');
  await expect
    .poll(() => lines.slice(1))
    .toEqual([
      'shop: 2 webhooks were refused, signature_invalid: no active secret of this source confirms the signature',
    ]);
  ending.abort();
  await telling;
});
