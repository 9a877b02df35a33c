/**
 * Bounds the memory that bodies may take while they are read and stored, over all connections together: many
 * senders that each stay within their own limit must not fill the process.
 */
export class ByteBudget {
  readonly #maxBytes: number;
  #usedBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** false: it would be more than there is, nothing was taken. */
  take(bytes: number): boolean {
    if (this.#usedBytes + bytes > this.#maxBytes) return false;
    this.#usedBytes += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#usedBytes -= bytes;
  }
}

/** What one delivery has taken of the budget; given back as a whole at its end. */
export class ByteLease {
  readonly #budget: ByteBudget;
  #takenBytes = 0;

  constructor(budget: ByteBudget) {
    this.#budget = budget;
  }

  take(bytes: number): boolean {
    if (!this.#budget.take(bytes)) return false;
    this.#takenBytes += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#takenBytes -= bytes;
    this.#budget.give(bytes);
  }

  /** Harmless when called again. */
  end(): void {
    this.give(this.#takenBytes);
  }
}
