import { expect, it } from 'vitest';
import { createRefusalTeller } from '../../../src/dev/refused-webhooks.ts';
import { createLog } from '../../../src/log.ts';
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
  const teller = createRefusalTeller({
    store,
    log: createLog('silent', 'test'),
    say: (line) => lines.push(line),
  });
  await teller.runOnce();
  expect(lines).toEqual([]);

  await refuse('type_unknown', 1, 'the type "order.packed" is not known here');
  await teller.runOnce();
  expect(lines).toEqual([
    'shop: a webhook was refused, type_unknown: the type "order.packed" is not known here',
  ]);
  await refuse('signature_invalid', 2, 'no active secret of this source confirms the signature');
  await teller.runOnce();
  expect(lines.slice(1)).toEqual([
    'shop: 2 webhooks were refused, signature_invalid: no active secret of this source confirms the signature',
  ]);
});
