/**
 * How much an order may hold. Its state travels as one payload through Temporal, which takes two megabytes: more would
 * fail the order's workflow at each try, for ever.
 */
import type { HeldEvent, OrderEvent, OrderState } from './state.ts';

/** More than this many held events stay untaken in the store until there is room. */
export const MAX_HELD = 500;
/** And more than these bytes of JSON. */
const MAX_HELD_BYTES = 600_000;
/** What is for a person cannot be left for later: what comes after it would go on. */
const MOST_FOR_PERSONS = 2 * MAX_HELD;
const MOST_BYTES_FOR_PERSONS = 1_000_000;
/** Each leaves its last word in the state, for good. */
export const MAX_STREAMS = 1_000;
/** No event weighs more: sixteen facts of 255 bytes, each a control character. */
const HEAVIEST_EVENT_BYTES = 64_000;

export const hasRoom = (state: OrderState): boolean => isWithin(state, MAX_HELD, MAX_HELD_BYTES);

export const hasRoomForPersons = (state: OrderState): boolean =>
  isWithin(state, MOST_FOR_PERSONS, MOST_BYTES_FOR_PERSONS);

function isWithin(state: OrderState, most: number, mostBytes: number): boolean {
  const all = Object.values(state.streams).map(({ held }) => held);
  const count = all.reduce((sum, held) => sum + held.length, 0);
  if (count >= most) return false;
  if (count * HEAVIEST_EVENT_BYTES < mostBytes) return true;
  return weightOf(all) < mostBytes;
}

function weightOf(all: HeldEvent[][]): number {
  let bytes = 0;
  for (const held of all) for (const event of held) bytes += eventBytes(event);
  return bytes;
}

/** Names of its fields, numbers and flags. */
const FRAME_BYTES = 300;

function eventBytes(event: OrderEvent & { review?: string | null }): number {
  const { seq, source, event: id, stream, type, payment, version, claimedAt, fact, facts, review } = event;
  let bytes = FRAME_BYTES;
  for (const text of [seq, source, id, stream, type, payment, version, claimedAt, fact, review])
    bytes += jsonBytes(text ?? '');
  for (const name in facts) bytes += jsonBytes(name) + jsonBytes(facts[name] ?? '') + 6;
  return bytes;
}

/** UTF-8 of a text inside JSON: control characters are six, quotation marks and backslashes two. */
function jsonBytes(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20) bytes += 6;
    else if (code === 0x22 || code === 0x5c) bytes += 2;
    else bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
  }
  return bytes;
}
