/** Lets a storm pass up to a point, and further when it is told to. */
export class Sluice {
  #passable: number;
  readonly #waiting: (() => void)[] = [];

  constructor(passable: number) {
    this.#passable = passable;
  }

  /** What is already passable stays so. */
  openTo(passable: number): void {
    if (passable <= this.#passable) return;
    this.#passable = passable;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** null: it may pass at once. */
  wait(index: number): Promise<void> | null {
    return index < this.#passable ? null : this.#until(index);
  }

  async #until(index: number): Promise<void> {
    while (index >= this.#passable) await new Promise<void>((wake) => this.#waiting.push(wake));
  }
}
