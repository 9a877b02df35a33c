import { describe, expect, it } from 'vitest';
import { killWhileBusy } from '../../../src/dev/killer.ts';
import { createRandom } from '../../../src/dev/sandbox/random.ts';
import { Sluice } from '../../../src/dev/traffic/sluice.ts';

const target = (name: string, told: string[]) => ({
  name,
  ready: () => Promise.resolve(),
  kill: () => {
    told.push(`killed ${name}`);
    return Promise.resolve();
  },
});
const kill = (told: string[], options: { isBusy: () => boolean; signal?: AbortSignal }) =>
  killWhileBusy({
    targets: [target('receiver', told), target('worker', told)],
    times: 2,
    bringWork: () => void told.push('work'),
    isBusy: () => Promise.resolve(options.isBusy()),
    random: createRandom('kill'),
    onKill: () => {},
    signal: options.signal ?? new AbortController().signal,
  });

describe('the killer', () => {
  it('kills each in turn, and brings work before each kill', async () => {
    const told: string[] = [];
    expect(await kill(told, { isBusy: () => true })).toBe(4);
    expect(told.filter((line) => line !== 'work')).toEqual([
      ...['killed receiver', 'killed worker', 'killed receiver', 'killed worker'],
    ]);
    expect(told.filter((_, index) => index % 2 === 0)).toEqual(['work', 'work', 'work', 'work']);
  });

  it('kills nobody who has nothing to do', async () => {
    const told: string[] = [];
    let looks = 0;
    await kill(told, { isBusy: () => ++looks % 3 === 0 });
    expect(looks).toBe(12);
  });

  it('lets go when it is interrupted', async () => {
    const told: string[] = [];
    const controller = new AbortController();
    const killing = kill(told, {
      isBusy: () => {
        controller.abort(new Error('interrupted'));
        return false;
      },
      signal: controller.signal,
    });
    await expect(killing).rejects.toThrow('abort');
    expect(told).toEqual(['work']);
  });
});

describe('a sluice', () => {
  it('lets pass what it is open for, and the rest when it opens', async () => {
    const sluice = new Sluice(2);
    expect([sluice.wait(0), sluice.wait(1)]).toEqual([null, null]);
    const passed: number[] = [];
    const waiting = [2, 5].map((index) => sluice.wait(index)?.then(() => passed.push(index)));
    sluice.openTo(3);
    await waiting[0];
    expect(passed).toEqual([2]);
    sluice.openTo(1);
    expect(sluice.wait(2)).toBeNull();
    sluice.openTo(Infinity);
    await waiting[1];
    expect(passed).toEqual([2, 5]);
  });
});
