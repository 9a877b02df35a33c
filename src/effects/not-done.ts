/**
 * What a custom effect throws when it knows that nothing was done: a check before the call failed, the other side
 * said no. Any other error leaves the end unknown, because the call may have gone through before it was thrown.
 */
const MARK = Symbol.for('inorder.NotDone');

export class NotDone extends Error {
  readonly retryAfterMs: number | null;

  constructor(message: string, options: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.name = 'NotDone';
    this.retryAfterMs = options.retryAfterMs ?? null;
    // A config is loaded by its own loader and may hold another copy of this class, which `instanceof` misses.
    Object.defineProperty(this, MARK, { value: true });
  }
}

export const isNotDone = (thrown: unknown): thrown is NotDone =>
  typeof thrown === 'object' && thrown !== null && MARK in thrown;
