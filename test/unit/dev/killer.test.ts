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
/** `isBusy` may look at what was told, as at the world. */
const kill = (told: string[], options: { isBusy: () => boolean; signal?: AbortSignal }) =>
  killWhileBusy({
    targets: [target('receiver', told), target('worker', told)],
    times: 2,
    bringWork: (kill, howMuch) => void told.push(`${howMuch} of ${kill}`),
    holdUp: () => void told.push('hold up'),
    letGo: () => void told.push('let go'),
    isBusy: () => Promise.resolve(options.isBusy()),
    random: createRandom('kill'),
    onKill: () => {},
    signal: options.signal ?? new AbortController().signal,
  });

describe('the killer', () => {
  it('kills each in turn, and brings work before each kill', async () => {
    const told: string[] = [];
    expect(await kill(told, { isBusy: () => true })).toBe(4);
    expect(told).toEqual([
      ...['a part of 0', 'killed receiver', 'a part of 1', 'killed worker'],
      ...['a part of 2', 'killed receiver', 'a part of 3', 'killed worker'],
    ]);
  });

  it('kills nobody who has nothing to do', async () => {
    const told: string[] = [];
    let looks = 0;
    await kill(told, { isBusy: () => ++looks % 3 === 0 });
    expect(looks).toBe(12);
  });

  it('holds the work up and brings the rest where all was done too soon, and lets go after the kill', async () => {
    const told: string[] = [];
    const isBusy = () => told.at(-1) === 'the rest of 0' || told.includes('let go');
    expect(await kill(told, { isBusy })).toBe(4);
    expect(told.slice(0, 6)).toEqual([
      ...['a part of 0', 'hold up', 'the rest of 0', 'killed receiver', 'let go', 'a part of 1'],
    ]);
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
    expect(told).toEqual(['a part of 0']);
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
