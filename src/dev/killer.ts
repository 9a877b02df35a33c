/**
 * Kills processes with SIGKILL while there is work in them, each so many times, one after the other: the next one
 * falls only after the last one works again, so that every kill meets a living pair.
 *
 * 1. Nobody is killed who has nothing to do. Where everything is done before the kill falls, the work is held up
 *    and more of it is brought; what is stored then stays open until the kill.
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
  /** Of all kills, from 0: a part of the work that is for this one, or the rest of it. */
  bringWork: (kill: number, howMuch: 'a part' | 'the rest') => void;
  /** Something is stored and not settled, or an effect is not at its end. */
  isBusy: () => Promise<boolean>;
  /** Nothing gets done between these two. */
  holdUp: () => void;
  letGo: () => void;
  random: Random;
  onKill: (name: string, count: number) => void;
  signal: AbortSignal;
}

const LOOK_EVERY_MS = 25;
const IDLE_AFTER_MS = 1_000;
/** More than the longest pause in a storm, and a retry of its sender. */
const HELD_UP_IDLE_AFTER_MS = 20_000;

/** Returns how many kills met work; fewer than asked for when there was none left. */
export async function killWhileBusy(options: KillerOptions): Promise<number> {
  const { targets, times, random, signal } = options;
  let kills = 0;
  for (let round = 0; round < times; round++) {
    for (const target of targets) {
      for (const other of targets) await other.ready(signal);
      options.bringWork(kills, 'a part');
      await delay(random.between(100, 900), undefined, { signal });
      if (!(await killOnceBusy(options, target, kills))) return kills;
      options.onKill(target.name, ++kills);
    }
  }
  return kills;
}

/** (1) */
async function killOnceBusy(options: KillerOptions, target: Killable, kill: number): Promise<boolean> {
  if (await becomesBusy(options, IDLE_AFTER_MS)) {
    await target.kill();
    return true;
  }
  options.holdUp();
  try {
    options.bringWork(kill, 'the rest');
    if (!(await becomesBusy(options, HELD_UP_IDLE_AFTER_MS))) return false;
    await target.kill();
    return true;
  } finally {
    options.letGo();
  }
}

async function becomesBusy({ isBusy, signal }: KillerOptions, limitMs: number): Promise<boolean> {
  for (const deadline = Date.now() + limitMs; Date.now() < deadline;) {
    if (await isBusy()) return true;
    await delay(LOOK_EVERY_MS, undefined, { signal });
  }
  return false;
}
