/** One line on stderr that is written over at a terminal, and a line every few seconds elsewhere. */
const EVERY_MS = { terminal: 100, elsewhere: 5_000 };

export class Progress {
  readonly #isTerminal = process.stderr.isTTY && process.env['TERM'] !== 'dumb';
  #shownAtMs = 0;
  #isOpen = false;

  /** A line that stays. */
  say(line: string): void {
    this.#clear();
    process.stderr.write(`${line}\n`);
  }

  /** A line that the next one replaces; most are never shown. */
  show(line: () => string): void {
    const nowMs = Date.now();
    if (nowMs - this.#shownAtMs < (this.#isTerminal ? EVERY_MS.terminal : EVERY_MS.elsewhere)) return;
    this.#shownAtMs = nowMs;
    if (!this.#isTerminal) {
      process.stderr.write(`${line()}\n`);
      return;
    }
    process.stderr.write(`\r\u001b[2K${line().slice(0, (process.stderr.columns || 80) - 1)}`);
    this.#isOpen = true;
  }

  end(): void {
    this.#clear();
  }

  #clear(): void {
    if (this.#isOpen) process.stderr.write('\r\u001b[2K');
    this.#isOpen = false;
  }
}
