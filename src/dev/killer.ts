/**
 * Kills processes with SIGKILL while there is work in them, each so many times, one after the other: the next one
 * falls only after the last one works again, so that every kill meets a living pair.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from './sandbox/random.ts';

export interface Killable {
  readonly name: string;
  ready(signal?: AbortSignal): Promise<void>;
  kill(): Promise<void>;
}

export interface KillerOptions {
  targets: Killable[];
  times: number;
  /** The storm is far enough for the next kill, so that they are spread over it. */
  isDue: (kills: number) => boolean;
  /** Something is stored and not settled, or an effect is not at its end. */
  isBusy: () => Promise<boolean>;
  random: Random;
  onKill: (name: string, count: number) => void;
  /** Nothing was under way for a while: more work is wanted. */
  onIdle: () => void;
  signal: AbortSignal;
}

const LOOK_EVERY_MS = 50;
const IDLE_AFTER_MS = 3_000;

/** Returns how many kills met work; fewer than asked for when the work ran out. */
export async function killWhileBusy(options: KillerOptions): Promise<number> {
  const { targets, times, random, signal } = options;
  let kills = 0;
  for (let round = 0; round < times; round++) {
    for (const target of targets) {
      for (const other of targets) await other.ready(signal);
      await delay(random.between(100, 900), undefined, { signal });
      while (!options.isDue(kills)) await delay(LOOK_EVERY_MS, undefined, { signal });
      if (!(await becomesBusy(options))) return kills;
      await target.kill();
      options.onKill(target.name, ++kills);
    }
  }
  return kills;
}

async function becomesBusy({ isBusy, onIdle, signal }: KillerOptions): Promise<boolean> {
  const sinceMs = Date.now();
  let isToldIdle = false;
  while (!signal.aborted) {
    if (await isBusy()) return true;
    const idleMs = Date.now() - sinceMs;
    if (idleMs > IDLE_AFTER_MS && !isToldIdle) {
      isToldIdle = true;
      onIdle();
    }
    if (idleMs > IDLE_AFTER_MS * 3) return false;
    await delay(LOOK_EVERY_MS);
  }
  return false;
}
