import { inject, test } from 'vitest';
import { assertNoFaults } from '../../fuzz/assert-no-faults.ts';
import { openReceiver, receiver } from '../../fuzz/receiver/receiver.ts';

test('a receiver under made-up requests lives, answers by its table, and keeps what it took byte for byte', async () => {
  const open = () => openReceiver(inject('mysqlServerUrl'));
  await assertNoFaults({ ...receiver, open }, { inputs: 25 });
}, 120_000);
