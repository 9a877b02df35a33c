import { InorderError } from '../errors.ts';
import { showEvents } from '../operations/show-event.ts';
import type { EventView } from '../operations/show-event.ts';
import type { Queryable } from '../store/store.ts';

/** The event that a person means by its id, or by `source/id` where an id alone stands for several. */
export async function findEvent(db: Queryable, text: string): Promise<EventView> {
  const slash = text.indexOf('/');
  const named =
    slash < 1 ? [] : await showEvents(db, { source: text.slice(0, slash), event: text.slice(slash + 1) });
  const found = named.length > 0 ? named : await showEvents(db, { event: text });
  const [first, ...others] = found;
  if (first === undefined) {
    throw new InorderError(
      'event_unknown',
      `There is no event '${text}'. 'inorder events list' shows the latest.`,
    );
  }
  if (others.length === 0) return first;
  const ids = found.map(({ source, event }) => `  ${source}/${event}`);
  throw new InorderError(
    'usage',
    `'${text}' stands for several events; name one of them:\n${ids.join('\n')}`,
  );
}
