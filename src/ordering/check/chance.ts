/** Numbers below a bound, evenly spread, the same ones for the same seed. */
export function chance(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    // A Weyl sequence, stirred: 32 bits are plenty for drawing stories.
    state = (state + 0x9e3779b9) >>> 0;
    let word = state;
    word = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
    word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
    word = (word ^ (word >>> 16)) >>> 0;
    return Math.floor((word / 2 ** 32) * below);
  };
}
