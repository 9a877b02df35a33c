/** One event of an order against the order's state and journal. Pure. */
import { compareVersions } from '../ordering/version.ts';
import type { EventToCompare } from '../store/integrity-orders.ts';
import { BACKUP, nameOfEvent } from './finding.ts';
import type { OrderAccount } from './order-account.ts';

/** What the door settles by itself, before any order sees it. */
const AT_THE_DOOR: ReadonlySet<string> = new Set(['archived', 'foreign', 'failed', 'ignored']);

/** The journal was folded before. */
export function compareEvent(account: OrderAccount, event: EventToCompare): void {
  const name = nameOfEvent(event);
  const say = (seen: string, fix = BACKUP): void => account.say('event', seen, fix, name);
  const held = account.held.get(event.seq) ?? null;
  const isHeld = held !== null && held.source === event.source && held.event === event.event;
  if (isHeld) account.held.delete(event.seq);
  const { outcome, revision } = event;
  if (revision !== null && revision > account.row.revision)
    say(`it was decided in revision ${revision}, and its order stands at ${account.row.revision}`);
  if (event.machineVersion !== null && account.machine(event.machineVersion) === undefined)
    account.say(
      'machine',
      `it was decided by version ${event.machineVersion}, which was never entered`,
      BACKUP,
      name,
    );

  if (!event.isSettled && !event.isTaken) {
    if (isHeld) say("its order's state holds it, and it is stored as not taken");
    if (outcome !== null) say(`it is stored as ${outcome}, and as not taken`);
    if (!event.isWoken)
      say(
        'no workflow has taken it, and nothing would send it again',
        'wake its order: `inorder orders reconcile ORDER --reason …`',
      );
    return;
  }
  if (!event.isTaken) say(`it is settled as ${outcome}, and as not taken`);
  if (event.isWoken) say('it is taken, and would be sent again');
  if (!event.isSettled) {
    if (outcome !== 'held') say(`it is taken and not settled, and stored as ${outcome ?? 'nothing'}`);
    if (!isHeld && account.state !== null)
      say("it is stored as held, and its order's state does not hold it");
    else if (held?.review != null) say('its order waits for a person about it, and it is stored as held');
    return;
  }
  if (outcome === null || outcome === 'held' || outcome === 'unlinked')
    return say(`it is settled, and stored as ${outcome ?? 'nothing'}`);
  if (revision === null) {
    if (!AT_THE_DOOR.has(outcome)) say(`it is stored as ${outcome}, and no revision of its order says so`);
    if (isHeld) say(`it was settled when it came in (${outcome}), and its order's state holds it`);
    return;
  }
  const isReviewed = isHeld && held.review !== null;
  if (outcome === 'review' && !isReviewed && account.state !== null)
    say('it is stored as waiting for a person, and its order does not wait');
  if (outcome !== 'review' && isHeld) say(`it is settled as ${outcome}, and its order's state holds it`);
  compareStream(account, event, say);
  const { from, to, stream } = event;
  if (outcome === 'applied' && !account.hasStep(revision, stream, from ?? '', to ?? ''))
    say(
      `it is stored as applied (${from ?? '-'} to ${to ?? '-'}, revision ${revision}), and the journal has no such step`,
    );
}

function compareStream(account: OrderAccount, event: EventToCompare, say: (seen: string) => void): void {
  const { state } = account;
  if (state === null || event.outcome === 'failed') return;
  const stream = state.streams[event.stream];
  if (stream === undefined) return say(`its order's state knows nothing of ${event.stream}`);
  const { version } = event;
  if (event.outcome !== 'applied' || version === null || stream.contract === 'unordered') return;
  if (account.wasRebased(event.stream)) return;
  if (stream.version === null || isBelow(stream.version, version))
    say(
      `its version ${version} was applied, and its order's state stands at ${stream.version ?? 'none'} of ${event.stream}`,
    );
}

/** Versions of two kinds have no order. */
const isBelow = (a: string, b: string): boolean =>
  a.endsWith('Z') === b.endsWith('Z') && compareVersions(a, b) < 0;
