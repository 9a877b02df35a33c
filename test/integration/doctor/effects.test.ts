/** What the doctor says of effects: also of those that fail and are not given up yet. */
import { expect, test } from 'vitest';
import type { Patient } from '../../../src/doctor/check.ts';
import { effects } from '../../../src/doctor/effects.ts';
import type { EffectRequest } from '../../../src/ordering/state.ts';
import { insertEffects } from '../../../src/store/effects.ts';
import { migratedStore } from '../store/migrated-store.ts';

const KEY = { machine: 'order', environment: 'live', id: '1042' };
const CAUSE = { source: 'shop', event: 'e1', type: 'order.created', object: 'order:1042', version: '1' };
const request = (name: string): EffectRequest => ({
  ...{ name, once: 'order', status: 'paid', previous: 'new', facts: {}, mode: 'run' },
  cause: { ...CAUSE, claimedAt: null },
});

test('effects that fail are told of while they are tried again, with what the last one said', async () => {
  const { store } = await migratedStore();
  const seen = async () =>
    (await effects.look({ store } as Patient)).map(({ verdict, seen: text }) => `${verdict} ${text}`);
  expect(await seen()).toEqual(['ok none failed, none uncertain, none tried again']);

  const names = ['fulfil', 'sendReceipt', 'releaseStock'];
  await store.transaction((tx) => insertEffects(tx, KEY, 1, names.map(request)));
  expect(await seen()).toEqual(['ok none failed, none uncertain, none tried again']);

  const fails = (name: string, state: string) =>
    store.write('UPDATE effects SET state = ?, error = ?, updated_at = UTC_TIMESTAMP(6) WHERE name = ?', [
      ...[state, 'the receiver answered 500', name],
    ]);
  await fails('fulfil', 'pending');
  expect(await seen()).toEqual(['warn 1 is tried again, the last because: the receiver answered 500']);
  await fails('sendReceipt', 'running');
  await fails('releaseStock', 'failed');
  expect(await seen()).toEqual([
    'warn 1 failed, 0 uncertain',
    'warn 2 are tried again, the last because: the receiver answered 500',
  ]);
});
