import { describe, expect, test } from 'vitest';
import { Reachability } from '../../../src/temporal/reachability.ts';
import { recordingLog } from '../dispatch/order-events.ts';

function setup() {
  const world = { probes: 0, isUp: false, warnings: [] as string[] };
  const reachability = new Reachability({
    probe: () => {
      world.probes += 1;
      return world.isUp ? Promise.resolve() : Promise.reject(new Error('no server'));
    },
    log: recordingLog(world.warnings),
    probeEveryMs: 1,
  });
  const nextChange = () =>
    new Promise<{ reachable: boolean }>((resolve) => reachability.onChange((change) => resolve(change)));
  const failTimes = (times: number) => {
    for (let n = 0; n < times; n += 1) reachability.failed();
  };
  return { world, reachability, nextChange, failTimes };
}

describe('whether Temporal can be reached', () => {
  test('a few failures between successes are no outage', () => {
    const { reachability, failTimes } = setup();
    for (let n = 0; n < 10; n += 1) {
      failTimes(4);
      reachability.succeeded();
    }
    expect(reachability.isDown).toBe(false);
  });

  test('failures in a row that a probe confirms are one outage, told once', async () => {
    const { reachability, failTimes, world, nextChange } = setup();
    const down = nextChange();
    failTimes(50);
    expect(await down).toMatchObject({ reachable: false });
    failTimes(50);
    expect(reachability.isDown).toBe(true);
    expect(world.warnings).toEqual(['Temporal cannot be reached; events are stored and wait']);
    await reachability.stop();
  });

  test('a server that is too slow for calls and answers a probe is not away', async () => {
    const { reachability, failTimes, world } = setup();
    world.isUp = true;
    failTimes(50);
    expect(await reachability.check()).toBe(true);
    expect(reachability.isDown).toBe(false);
    expect(world.warnings).toEqual([]);
  });

  test('it probes by itself until the server is back', async () => {
    const { reachability, failTimes, world, nextChange } = setup();
    const down = nextChange();
    failTimes(5);
    await down;
    const back = nextChange();
    world.isUp = true;
    expect(await back).toMatchObject({ reachable: true });
    expect(reachability.isDown).toBe(false);
  });

  test('a call that gets through ends the outage before the next probe', async () => {
    const { reachability } = setup();
    await reachability.check();
    reachability.succeeded();
    expect(reachability.isDown).toBe(false);
    await reachability.stop();
  });

  test('a check finds an outage that no call has met', async () => {
    const { reachability, world } = setup();
    expect(await reachability.check()).toBe(false);
    expect(reachability.isDown).toBe(true);
    await reachability.stop();
    expect(world.warnings).toHaveLength(1);
  });

  test('after stop it neither probes nor reports', async () => {
    const { reachability, failTimes, world } = setup();
    await reachability.stop();
    failTimes(50);
    await reachability.check();
    expect(reachability.isDown).toBe(false);
    expect(world).toMatchObject({ probes: 0, warnings: [] });
  });
});
