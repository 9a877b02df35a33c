/** When the same event id is other news (R8), and the id under which that is stored. */
import { hash } from 'node:crypto';
import type { NewEvent } from '../store/events.ts';

type News = Pick<NewEvent, 'object' | 'version' | 'fact' | 'order'>;

/**
 * Other bytes alone are no other news: providers render an event again when they repeat it. An order that only one
 * of the two names may have been learned since.
 */
export const isSameNews = (a: News, b: News): boolean =>
  a.fact === b.fact &&
  a.version === b.version &&
  a.object === b.object &&
  (a.order === null || b.order === null || a.order === b.order);

const MAX_ID_BYTES = 255;
const DIGITS = 16;

/** The same for each repeat of the same conflicting news. */
export function conflictId({ eventId, object, version, fact, order }: News & { eventId: string }): string {
  const digest = hash('sha256', JSON.stringify([object, version, fact, order])).slice(0, DIGITS);
  const suffix = `~conflict-${digest}`;
  const fits = Buffer.byteLength(eventId) + suffix.length <= MAX_ID_BYTES;
  return (fits ? eventId : hash('sha256', eventId)) + suffix;
}
