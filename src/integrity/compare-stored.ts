/** One event against what the door stores beside it: bytes, links, its place in the queue. Pure. */
import type { LinkToCompare, StoredBeside } from '../store/integrity-rows.ts';
import { BACKUP, nameOfEvent } from './finding.ts';
import type { FindingAbout, Tell } from './finding.ts';

export function compareStored(event: StoredBeside, tell: Tell): void {
  const of = nameOfEvent(event);
  const say = (about: FindingAbout, seen: string, fix = BACKUP): void => tell({ about, of, seen, fix });
  if (!event.hasBody) say('body', 'the bytes it came with are not there');
  else if (!event.bodyIsSame) say('body', 'its bytes are not those that its signature was checked over');
  if (event.bytesMissing > 0)
    say('delivery', `${event.bytesMissing} repeats came with other bytes, which are not there`);
  if (event.isDecided && !event.hasOrder)
    say(
      'event',
      `it is settled as ${event.outcome ?? 'nothing'}, and its order ${event.order ?? '(none)'} is not there`,
    );
  if (event.order !== null) {
    const waits = !event.isTaken && !event.isSettled && !event.hasOrder;
    if (waits && !event.isWoken)
      say(
        'event',
        'no workflow has taken it, and nothing would send it again',
        `wake its order: \`inorder orders reconcile ${event.order} --reason …\``,
      );
    if (event.outcome === 'unlinked') say('event', `it has an order, and is stored as without one`);
    return;
  }
  if (event.isSettled) {
    if (event.waitsForLink) say('link', 'it is settled, and waits for its order to become known');
    return;
  }
  if (event.outcome !== 'unlinked')
    say('event', `it has no order, and is stored as ${event.outcome ?? 'new'}`);
  const names = JSON.parse(event.refs.toString('utf8')) as string[];
  if (names.length > 0 && !event.waitsForLink)
    say('link', 'it has no order, and would not be found when one becomes known');
}

/** The links that an event must have taught; none for what is not ours or could not be read at the door. */
export function taughtBy(event: StoredBeside): string[] {
  if (event.order === null || event.outcome === 'foreign') return [];
  if (event.outcome === 'failed' && !event.isDecided) return [];
  return JSON.parse(event.refs.toString('utf8')) as string[];
}

export function compareLinks(
  event: StoredBeside,
  links: ReadonlyMap<string, LinkToCompare>,
  tell: Tell,
): void {
  for (const ref of taughtBy(event)) {
    const link = links.get(`${event.source} ${ref}`);
    const of = `${event.source}/${ref}`;
    if (link === undefined)
      tell({
        about: 'link',
        of,
        seen: `event ${event.event} names it, and it is linked to no order`,
        fix: BACKUP,
      });
    else if (link.order !== event.order && link.contestedBy === null)
      tell({
        about: 'link',
        of,
        seen: `it is linked to ${link.order}, event ${event.event} gives it to ${event.order ?? ''}, and that is not noted`,
        fix: BACKUP,
      });
  }
}
