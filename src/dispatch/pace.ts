/**
 * How many calls may be in flight: all that are allowed while the server answers in time, half as many after each
 * miss, one more for about every round of successes. Misses of calls that left together count as one.
 */
const FEWEST = 2;
const ONE_MISS_MS = 500;

export class Pace {
  readonly #most: number;
  readonly #clock: () => number;
  #limit: number;
  #slowedAtMs = -Infinity;

  constructor(most: number, clock: () => number = () => performance.now()) {
    this.#most = most;
    this.#limit = most;
    this.#clock = clock;
  }

  get limit(): number {
    return Math.floor(this.#limit);
  }

  faster(): void {
    this.#limit = Math.min(this.#most, this.#limit + 1 / this.#limit);
  }

  slower(): void {
    const now = this.#clock();
    if (now - this.#slowedAtMs < ONE_MISS_MS) return;
    this.#slowedAtMs = now;
    this.#limit = Math.max(Math.min(FEWEST, this.#most), this.#limit / 2);
  }
}
