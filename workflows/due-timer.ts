/**
 * The run's one timer, for the earliest thing that is due. Each timer costs two events of history, so it is not
 * set anew for every event: an instant that moved away is noticed when the timer rings too early.
 */
import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';

export class DueTimer {
  private armedFor: number | null = null;
  private scope: CancellationScope | null = null;
  private rung = false;

  get isRung(): boolean {
    return this.rung;
  }

  /** Takes note that it rang. */
  take(): boolean {
    const rung = this.rung;
    this.rung = false;
    return rung;
  }

  /** Rings at the instant (epoch ms) or before; null: nothing is due. */
  arm(instant: number | null): void {
    if (instant === null || this.rung) return;
    if (this.armedFor !== null && this.armedFor <= instant) return;
    this.scope?.cancel();
    this.armedFor = instant;
    const scope = new CancellationScope({ cancellable: true });
    this.scope = scope;
    void scope.run(() => this.wait(instant, scope));
  }

  private async wait(instant: number, scope: CancellationScope): Promise<void> {
    try {
      await sleep(Math.max(1, instant - Date.now()), { summary: 'the earliest thing that is due' });
    } catch (error) {
      if (isCancellation(error)) return;
      throw error;
    }
    if (this.scope !== scope) return;
    this.scope = null;
    this.armedFor = null;
    this.rung = true;
  }
}
