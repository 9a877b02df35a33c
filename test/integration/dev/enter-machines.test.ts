import { expect, it } from 'vitest';
import { machineDigest } from '../../../src/config/machine-digest.ts';
import { enterMachines } from '../../../src/dev/enter-machines.ts';
import type { Machine } from '../../../src/ordering/machine.ts';
import { decisionAbout, orderWorld } from '../activities/order-world.ts';

const only = (machine: Machine) => [{ machine, digest: machineDigest(machine) }];

it('a changed machine replaces the entered one in development, and is told of once', async () => {
  const { store, machine } = await orderWorld();
  expect(await enterMachines(store, only(machine), '')).toEqual([]);
  const changed = only({ ...machine, ahead: [] });
  expect(await enterMachines(store, changed, '')).toEqual([
    `Machine order version ${machine.version} has changed; kept orders go on with the new table (development only).`,
  ]);
  expect(await enterMachines(store, changed, '')).toEqual([]);
});

it('a kept order in a status that is gone stops the start, and the message says the way out', async () => {
  const { store, machine, apply, receive } = await orderWorld();
  await apply(decisionAbout(machine, [await receive({ version: '1' })], { status: 'shipped' }));
  const { shipped: _dropped, ...statuses } = machine.statuses;
  const advice = 'Or begin anew.';
  await expect(enterMachines(store, only({ ...machine, statuses }), advice)).rejects.toMatchObject({
    code: 'machine_changed',
    message: expect.stringMatching(/no status "shipped" \(1\).*Or begin anew\.$/),
  });
});
