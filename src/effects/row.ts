/**
 * A row of `effects` as decisions see it. The states and who moves them:
 *
 *   pending ─claim─▶ running ─end of the attempt─▶ done | pending (again later) | failed | uncertain
 *   pending ─claim, the order left `validIn`─▶ dropped ─asked for again, unless a person skipped it─▶ pending
 *   running ─lease over─▶ claimed again: how the lost attempt ended is unknown
 *   recorded: shadow mode, written and never called
 *   failed, uncertain, dropped, recorded ─a person: retry─▶ pending; failed, uncertain ─confirm─▶ done, ─skip─▶ dropped
 */
export const EFFECT_STATES = [
  'pending',
  'running',
  'done',
  'failed',
  'dropped',
  'uncertain',
  'recorded',
] as const;
export type EffectState = (typeof EFFECT_STATES)[number];

export interface EffectRow {
  /** Decimal string. */
  id: string;
  key: string;
  machine: string;
  environment: string;
  order: string;
  name: string;
  state: EffectState;
  /** What is sent, byte for byte, each time. */
  body: Buffer;
  /** Where it was sent first; null before. */
  url: string | null;
  /** Number of the last claim: only its holder writes (fencing). Never goes back. */
  attempt: number;
  /** Attempts that did not end well since the effect was asked for. */
  failures: number;
  /** When the first attempt that may have been done was claimed; null: it certainly was not done. */
  unknownSinceMs: number | null;
  claimedAtMs: number | null;
  leasedUntilMs: number | null;
  nextAttemptAtMs: number | null;
  error: string | null;
  /** Dropped by a person: asked for again, it stays so. */
  isSkipped: boolean;
  /** The database's clock when the row was read; all times of a row are by it. */
  nowMs: number;
}
