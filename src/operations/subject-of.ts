/** What a person means by a stream and an event's id, in an order as it is. Pure. */
import { didYouMean } from '../ordering/did-you-mean.ts';
import type { EventRef, OrderState } from '../ordering/state.ts';

/** The event's row number is the store's matter; a person knows its id. */
export function subjectOf(
  state: OrderState,
  key: string | null,
  event: string | null,
): { event: EventRef | null } | { refused: string } {
  if (key === null)
    return event === null ? { event: null } : { refused: `say with --stream of which stream ${event} is` };
  const stream = state.streams[key];
  const isNoted = state.notices.some((notice) => notice.stream === key);
  if (stream === undefined && isNoted && event === null) return { event: null };
  if (stream === undefined)
    return { refused: `the order has no stream ${key}.${didYouMean(key, Object.keys(state.streams))}` };
  const reviewed = stream.held.filter(({ review }) => review !== null);
  if (event === null) {
    const isAboutStream = stream.answer !== null || isNoted;
    if (isAboutStream || reviewed.length === 0) return { event: null };
    const [only, ...others] = reviewed;
    if (only !== undefined && others.length === 0) return { event: refOf(only) };
    return { refused: `several events wait there; name one with --event: ${idsOf(reviewed)}` };
  }
  // Other news under the same id is another event; what waits for a person is meant first.
  const held = [...reviewed, ...stream.held].find((one) => one.event === event);
  if (held !== undefined) return { event: refOf(held) };
  const ids = stream.held.map((one) => one.event);
  return { refused: `event ${event} does not wait in ${key}.${didYouMean(event, ids)}` };
}

const refOf = ({ seq, source, event }: EventRef): EventRef => ({ seq, source, event });
const idsOf = (events: EventRef[]): string => events.map(({ event }) => event).join(', ');
