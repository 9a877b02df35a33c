/**
 * What was started, ended in the opposite order. Each end is tried, whatever the others do; a second call waits for
 * the first, and what is started after it is ended at once.
 */
export class Closing {
  readonly #ends: { what: string; end: () => unknown }[] = [];
  readonly #report: (line: string) => void;
  #closed: Promise<void> | null = null;

  constructor(report: (line: string) => void) {
    this.#report = report;
  }

  add(what: string, end: () => unknown): void {
    this.#ends.push({ what, end });
    if (this.#closed) this.#closed = this.#closed.then(() => this.#endAll());
  }

  close(): Promise<void> {
    this.#closed ??= this.#endAll();
    return this.#closed;
  }

  async #endAll(): Promise<void> {
    for (let last = this.#ends.pop(); last !== undefined; last = this.#ends.pop()) {
      try {
        await last.end();
      } catch (error) {
        this.#report(`could not end ${last.what}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
}
