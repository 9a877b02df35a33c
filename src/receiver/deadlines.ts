/**
 * Time limits for things of which thousands a second end long before them: one shared timer looks at all, instead of
 * one timer each. A limit is kept to within `CHECK_EVERY_MS`.
 */

const CHECK_EVERY_MS = 100;

export interface Deadline {
  atMs: number;
  onPassed: () => void;
}

export class Deadlines {
  readonly #open = new Set<Deadline>();
  #timer: NodeJS.Timeout | null = null;

  set(afterMs: number, onPassed: () => void): Deadline {
    const deadline = { atMs: performance.now() + afterMs, onPassed };
    this.#open.add(deadline);
    this.#timer ??= setInterval(() => {
      this.#check();
    }, CHECK_EVERY_MS);
    return deadline;
  }

  clear(deadline: Deadline): void {
    this.#open.delete(deadline);
  }

  #check(): void {
    const nowMs = performance.now();
    for (const deadline of this.#open) {
      if (deadline.atMs > nowMs) continue;
      this.#open.delete(deadline);
      deadline.onPassed();
    }
    if (this.#open.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}
