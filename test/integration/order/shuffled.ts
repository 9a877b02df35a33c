/** A permutation by a seed, so that a failure can be seen again. */
export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const left = [...items];
  const result: T[] = [];
  for (let state = seed; left.length > 0; state = (state * 48_271) % 2_147_483_647)
    result.push(...left.splice(state % left.length, 1));
  return result;
}
