import { expect, test } from 'vitest';
import { listRefusals, listRefusalSamples, writeRefusals } from '../../../src/store/refusals.ts';
import { migratedStore } from './migrated-store.ts';

const sample = (index: number) => ({
  atMs: Date.now() + index,
  message: `the signature is wrong (${index}) ${'ü'.repeat(400)}`,
  headers: { 'webhook-id': `msg_${index}` },
});

test('refusals are counted by source and reason, by all receivers together', async () => {
  const { store } = await migratedStore();
  const counts = [
    { source: 'shop', reason: 'signature_invalid', count: 3, samples: [] },
    { source: 'stripe', reason: 'body_truncated', count: 1, samples: [] },
  ];
  await Promise.all(
    Array.from({ length: 8 }, (_, index) => writeRefusals(store, index % 2 ? counts : [...counts].reverse())),
  );
  expect(await listRefusals(store, { hours: 24 })).toMatchObject([
    { source: 'shop', code: 'signature_invalid', total: 24 },
    { source: 'stripe', code: 'body_truncated', total: 8 },
  ]);
});

test('samples of a flood stay bounded, each with its reason and headers', async () => {
  const { store } = await migratedStore();
  for (let flush = 0; flush < 40; flush += 1) {
    const samples = [0, 1, 2].map((index) => sample(flush * 3 + index));
    await writeRefusals(store, [{ source: 'shop', reason: 'signature_invalid', count: 1_000, samples }]);
  }
  const kept = await listRefusalSamples(store, 1_000);
  expect(kept.length).toBeLessThanOrEqual(20);
  expect(kept.length).toBeGreaterThan(10);
  expect(kept[0]).toMatchObject({
    source: 'shop',
    code: 'signature_invalid',
    message: expect.stringContaining('the signature is wrong (119)'),
    headers: { 'webhook-id': 'msg_119' },
  });
});
