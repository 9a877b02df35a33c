/**
 * The one error type of inorder.
 *
 * A code is stable and greppable: command line and log show it word for word, and it is what an operator searches
 * for. The message says what was wrong and what to do about it. Expected outcomes of a delivery are returned values
 * and never errors of this type: refusals have codes of their own (`RefusalCode` of `src/providers/provider.ts`).
 */
export type ErrorCode =
  | 'config_invalid'
  | 'environment_invalid'
  | 'machine_invalid'
  | 'machine_changed'
  | 'migration_failed'
  | 'store_unavailable'
  | 'store_settings'
  | 'temporal_unavailable'
  | 'service_missing'
  | 'service_failed'
  | 'state_unreadable'
  | 'order_unknown'
  | 'event_unknown'
  | 'effect_unknown'
  | 'resolve_outdated'
  | 'usage'
  | 'internal';

export class InorderError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'InorderError';
    this.code = code;
  }

  /** Turns whatever was thrown into an InorderError, at the boundary where it is reported. */
  static from(thrown: unknown): InorderError {
    if (thrown instanceof InorderError) return thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return new InorderError('internal', message, { cause: thrown });
  }
}
