/**
 * An ask is a state of a stream, not of the loop: at most one request is under way, it settles only what was
 * held when it was sent, and later hints cause one more.
 */
import type { HeldEvent, OpenAsk, OrderState, StreamState } from './state.ts';
import type { Turn } from './turn.ts';

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 300_000;

/** Delay before the next try after so many that failed or lagged: doubling from half a second to five minutes. */
export function retryDelayMs(attempts: number): number {
  return Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(attempts - 1, 20));
}

const waitsForAnswer = (held: HeldEvent) => held.review === null;

/** Opens an ask unless one is open. What is held now is what it will answer. */
export function requestAsk(turn: Turn, stream: StreamState, reason: string): void {
  if (stream.ask !== null) {
    // Not sent yet: what came meanwhile is answered by it too.
    if (stream.ask.retryAt !== null) include(stream, stream.ask.n);
    return;
  }
  stream.asks += 1;
  stream.ask = { n: stream.asks, reason, since: turn.now, attempts: 0, retryAt: null, late: false };
  include(stream, stream.asks);
}

/** Sends an ask once more, under a new number, for all that is held by now. */
export function resendAsk(stream: StreamState, ask: OpenAsk): void {
  stream.asks += 1;
  stream.ask = { ...ask, n: stream.asks, retryAt: null };
  include(stream, stream.asks);
}

function include(stream: StreamState, n: number): void {
  stream.held = stream.held.map((held) => (waitsForAnswer(held) ? { ...held, ask: n } : held));
}

/** What one batch brought is answered by the asks that it opened: none of them has been sent yet. */
export function coverByNewAsks(before: OrderState, after: OrderState): OrderState {
  const widened: OrderState['streams'] = {};
  for (const [key, stream] of Object.entries(after.streams)) {
    const { ask, held } = stream;
    if (ask?.retryAt !== null || ask.n <= (before.streams[key]?.asks ?? 0)) continue;
    if (held.every((event) => !waitsForAnswer(event) || event.ask === ask.n)) continue;
    widened[key] = { ...stream };
    include(widened[key], ask.n);
  }
  return { ...after, streams: { ...after.streams, ...widened } };
}

/** Keeps an ask open after an answer that could not be taken; tried again not before `delayMs`. */
export function askLater(turn: Turn, stream: StreamState, delayMs: number): void {
  if (stream.ask === null) return;
  stream.ask = {
    ...stream.ask,
    attempts: stream.ask.attempts + 1,
    retryAt: turn.now + delayMs,
  };
}

export function askAgain(turn: Turn, stream: StreamState, leastDelayMs = 0): void {
  if (stream.ask === null) return;
  askLater(turn, stream, Math.max(leastDelayMs, retryDelayMs(stream.ask.attempts + 1)));
}
