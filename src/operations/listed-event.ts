/** What pages read off an event as it is listed. */
import type { ListedEvent } from '../store/event-listing.ts';

/** The words the core gives an event that an answer settled. */
const BY_ANSWER = new Set(['by an answer', 'confirmed', 'an answer covers it']);

export const isByAnswer = ({ reason }: ListedEvent): boolean => reason !== null && BY_ANSWER.has(reason);
export const streamOf = ({ source, object }: ListedEvent): string => `${source}/${object}`;
