/**
 * Chance that can be had again: the same seed gives the same stories, losses and shuffles on every machine.
 * (sfc32, a published small generator; nothing here is fit for secrets.)
 */
import { createHash } from 'node:crypto';

export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number, both ends included. */
  between(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** By weight; the weights need no sum. */
  weighted<T>(from: readonly (readonly [weight: number, item: T])[]): T;
  shuffled<T>(list: readonly T[]): T[];
  /** A generator of its own, so that a change in one part of a plan does not move the others. */
  fork(label: string): Random;
}

export function createRandom(seed: string): Random {
  const digest = createHash('sha256').update(seed).digest();
  let a = digest.readInt32LE(0);
  let b = digest.readInt32LE(4);
  let c = digest.readInt32LE(8);
  let counter = 1;
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return (sum >>> 0) / 4_294_967_296;
  };
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  const random: Random = {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: <T>(from: readonly T[]) => from[between(0, from.length - 1)] as T,
    weighted: <T>(from: readonly (readonly [number, T])[]) => {
      let rest = next() * from.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, item] of from) if ((rest -= weight) < 0) return item;
      return (from.at(-1) as readonly [number, T])[1];
    },
    shuffled: <T>(list: readonly T[]) => {
      const copy = [...list];
      for (let i = copy.length - 1; i > 0; i--) {
        const j = between(0, i);
        [copy[i], copy[j]] = [copy[j] as T, copy[i] as T];
      }
      return copy;
    },
    fork: (label) => createRandom(`${seed}/${label}`),
  };
  return random;
}
