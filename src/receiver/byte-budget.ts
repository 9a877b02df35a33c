/**
 * Bounds the memory that bodies may take while they are read and stored, over all connections together: many
 * senders that each stay within their own limit must not fill the process.
 */
export interface ByteLease {
  /** false: the budget is used up, nothing was taken. */
  take(bytes: number): boolean;
  give(bytes: number): void;
  /** Gives back all that is still taken; harmless when called again. */
  end(): void;
}

export class ByteBudget {
  readonly #maxBytes: number;
  #usedBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  lease(): ByteLease {
    let taken = 0;
    const give = (bytes: number): void => {
      taken -= bytes;
      this.#usedBytes -= bytes;
    };
    return {
      take: (bytes) => {
        if (this.#usedBytes + bytes > this.#maxBytes) return false;
        taken += bytes;
        this.#usedBytes += bytes;
        return true;
      },
      give,
      end: () => {
        give(taken);
      },
    };
  }
}
