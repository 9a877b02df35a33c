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
  /** More work, please: all are up and the next kill is due. Called again while nothing is under way. */
  bringWork: () => void;
  /** Something is stored and not settled, or an effect is not at its end. */
  isBusy: () => Promise<boolean>;
  random: Random;
  onKill: (name: string, count: number) => void;
  signal: AbortSignal;
}

const LOOK_EVERY_MS = 25;
const IDLE_AFTER_MS = 3_000;
const MAX_CALLS_FOR_WORK = 10;

/** Returns how many kills met work; fewer than asked for when there was none left. */
export async function killWhileBusy(options: KillerOptions): Promise<number> {
  const { targets, times, random, signal } = options;
  let kills = 0;
  for (let round = 0; round < times; round++) {
    for (const target of targets) {
      for (const other of targets) await other.ready(signal);
      options.bringWork();
      await delay(random.between(100, 900), undefined, { signal });
      if (!(await becomesBusy(options))) return kills;
      await target.kill();
      options.onKill(target.name, ++kills);
    }
  }
  return kills;
}

async function becomesBusy({ isBusy, bringWork, signal }: KillerOptions): Promise<boolean> {
  for (let calls = 0; calls < MAX_CALLS_FOR_WORK; calls++) {
    const deadline = Date.now() + IDLE_AFTER_MS;
    while (Date.now() < deadline) {
      if (await isBusy()) return true;
      await delay(LOOK_EVERY_MS, undefined, { signal });
    }
    bringWork();
  }
  return false;
}
