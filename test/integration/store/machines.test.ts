import { expect, test } from 'vitest';
import { machineDigest } from '../../../src/config/machine-digest.ts';
import { enterMachine, selectMachine } from '../../../src/store/machines.ts';
import type { Machine } from '../../../src/ordering/machine.ts';
import { decisionAbout, orderWorld } from '../activities/order-world.ts';

const entry = (machine: Machine) => ({ machine, digest: machineDigest(machine) });

test('[R45] a version is entered once; the same version with other contents stops the start', async () => {
  const { store, machine } = await orderWorld();
  expect(await enterMachine(store, entry(machine))).toBe('known');
  const changed = { ...machine, ahead: [] };
  await expect(enterMachine(store, entry(changed))).rejects.toMatchObject({ code: 'machine_changed' });
  expect(await selectMachine(store, 'order')).toEqual(machine);

  expect(await enterMachine(store, entry(changed), { replace: true })).toBe('replaced');
  expect(await selectMachine(store, 'order')).toEqual(changed);
  const next = { ...machine, version: machine.version + 1 };
  expect(await enterMachine(store, entry(next))).toBe('entered');
  expect(await selectMachine(store, 'order')).toEqual(next);
  expect(await selectMachine(store, 'order', machine.version)).toEqual(changed);
});

test('processes that enter the same machine at once agree', async () => {
  const { store, machine } = await orderWorld();
  const next = { ...machine, version: 7 };
  const ends = await Promise.all([1, 2, 3, 4].map(() => enterMachine(store, entry(next))));
  expect(ends.filter((end) => end === 'entered')).toHaveLength(1);
  expect(ends.filter((end) => end === 'known')).toHaveLength(3);
});

test('a version without a status in which orders stand is refused, unless it is renamed', async () => {
  const { store, machine, apply, receive } = await orderWorld();
  await apply(decisionAbout(machine, [await receive({ version: '1' })], { status: 'shipped' }));
  const { shipped: _dropped, ...statuses } = machine.statuses;
  const next = { ...machine, version: 2, statuses };
  await expect(enterMachine(store, entry(next))).rejects.toMatchObject({
    code: 'machine_changed',
    message: expect.stringContaining('"shipped" (1)'),
  });
  expect(await enterMachine(store, entry({ ...next, renamed: { shipped: 'paid' } }))).toBe('entered');
});
