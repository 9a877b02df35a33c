/**
 * Names for worlds: equal names mean that nothing can go on differently from here. What was done to get there does not
 * count, nor at what instant it is: times count from now, questions from the last one.
 */
import type { OrderState, Outcome, StreamState } from '../state.ts';
import type { World } from './model.ts';

/** Names within one story; parts that worlds share are written out once. */
export class WorldNames {
  private readonly ids = new Map<string, number>();
  private readonly known = new WeakMap<object, { now: number; id: number }>();

  of(world: World, more: unknown): string {
    const { state, now } = world;
    const { streams } = state;
    let name = `${this.idOf(state, now, () => restOf(state, now))}`;
    for (const key of Object.keys(streams).sort()) {
      const stream = streams[key] as StreamState;
      name += `|${key}=${this.idOf(stream, now, () => nameOfStream(stream, now))}`;
      const sent = world.sentAt[key];
      if (sent !== undefined && stream.ask?.n === sent.n) name += `@${now - sent.at}`;
    }
    name += `|${this.idOf(world.outcomes, 0, () => nameOfOutcomes(world.outcomes))}`;
    name += `|${this.idOf(world.effects, 0, () => nameOfEffects(world))}`;
    for (const { id } of world.left) name += `,${id}`;
    const happened = world.happenedAt.map((at) => now - at).join();
    return `${name}|${happened}|${world.expiredAfter ?? ''}${world.expiredTo ?? ''}|${world.faults.length}|${JSON.stringify(more)}`;
  }

  /** The state itself is made anew by every decision, so it is remembered by its streams' side only. */
  private idOf(part: object, now: number, write: () => string): number {
    const before = this.known.get(part);
    if (before?.now === now) return before.id;
    const text = write();
    let id = this.ids.get(text);
    if (id === undefined) {
      id = this.ids.size;
      this.ids.set(text, id);
    }
    this.known.set(part, { now, id });
    return id;
  }
}

/** The state without its streams, without what is the same in all of a story and what is derived (attention). */
function restOf(state: OrderState, now: number): string {
  const { deadline, finds, notices, troubles, adopted, contested } = state;
  const plain = `${state.status} ${state.bearer} ${state.movedBy} `;
  const due = deadline === null ? '' : JSON.stringify({ ...deadline, at: deadline.at - now });
  const open = Object.entries(finds).map(([source, ask]) => [source, relativeAsk(ask, ask.n, now)]);
  if (open.length === 0 && notices.length === 0 && contested === undefined && adopted === undefined)
    return plain + due;
  const told = notices.map(({ kind, stream, reason }) => [kind, stream, reason]);
  return plain + due + JSON.stringify([open, told, troubles, adopted, contested]);
}

function nameOfStream(stream: StreamState, now: number): string {
  const { version, by, fact, answered, step, word, missing, newest, resets, gapExpired } = stream;
  const { held, ask, asks, answer, candidate, missingSince, seen } = stream;
  let name = `${version} ${by} ${fact} ${answered} ${step?.type} ${step?.fact} ${resets} ${gapExpired} `;
  name += `${word?.type} ${word?.fact} ${word?.version} ${word?.ref?.seq} ${word?.moved} `;
  // Only whether it was ever asked counts.
  name += `${asks > 0} ${missingSince === null ? '' : now - missingSince} ${missing.join(' ')} `;
  for (const { event, since, reason, behind, ask: by, review, twin } of held)
    name += `(${event} ${now - since} ${reason} ${behind} ${by === null ? '' : asks - by} ${review} ${twin})`;
  if (newest !== null)
    name += `${newest.claimedAt} ${newest.types.join()} ${(newest.facts ?? []).join()} ${newest.facts === undefined}`;
  if (ask !== null) name += `ask ${JSON.stringify(relativeAsk(ask, asks, now))}`;
  if (answer !== null) {
    const { snapshot, ask: by = asks, since, review, late } = answer;
    const { type, version: of, fact: told } = snapshot;
    name += `answer ${type} ${of} ${told} ${asks - by} ${now - since} ${review} ${late}`;
  }
  if (candidate !== null) name += `candidate ${candidate.type} ${candidate.fact} ${now - candidate.since}`;
  return seen.length === 0 ? name : `${name} seen ${[...seen].sort().join()}`;
}

function relativeAsk(ask: NonNullable<StreamState['ask']>, asks: number, now: number): unknown {
  const { n, since, retryAt, ...plain } = ask;
  return [plain, asks - n, now - since, retryAt === null ? null : retryAt - now];
}

/** Settled is settled, however: but a person may still settle what is theirs. */
function nameOfOutcomes(outcomes: Record<string, Outcome>): string {
  const of = (outcome: Outcome | undefined) =>
    outcome === 'held' || outcome === 'review' ? outcome : 'settled';
  return Object.keys(outcomes)
    .sort()
    .map((id) => `${id} ${of(outcomes[id])}`)
    .join();
}

const nameOfEffects = ({ effects }: World): string =>
  Object.keys(effects)
    .sort()
    .map((key) => `${key} ${effects[key]?.status}`)
    .join();
