/**
 * The rows of `effects` in memory, and who runs them: one attempt of a name at a time in each order, in journal order.
 * What may be tried and what follows from an end are decided by the same functions as in a worker.
 */
import type { EffectHandler } from '../../../config/resolved.ts';
import { endOfAnswer, type AttemptEnd } from '../../../effects/answer.ts';
import { judgeClaim } from '../../../effects/judge-claim.ts';
import { judgeEnd } from '../../../effects/judge-end.ts';
import { judgePerson } from '../../../effects/judge-person.ts';
import { effectKey } from '../../../effects/key.ts';
import type { EffectRow } from '../../../effects/row.ts';
import { parseDurationMs } from '../../../ordering/duration.ts';
import type { Machine } from '../../../ordering/machine.ts';
import type { EffectAction, EffectRequest, OrderKey } from '../../../ordering/state.ts';
import type { EffectEnd } from '../../../ordering/trouble.ts';
import { momentOf } from '../stage/moods.ts';
import type { EffectMood } from '../format/scenario.ts';

export interface PureEffect extends EffectRow {
  revision: number;
  /** The receiver did it. */
  isDone: boolean;
  calls: number;
}

export interface EffectsOrder {
  key: OrderKey;
  status: string;
  /** A gap or an ask is open. */
  isUncertain: boolean;
  hasTrouble(key: string): boolean;
}

/** An attempt whose answer takes its time. */
interface UnderWay {
  row: PureEffect;
  endsAt: number;
  end: AttemptEnd;
}

export class PureEffects {
  readonly rows: PureEffect[] = [];
  readonly #machine: Machine;
  readonly #handlers: ReadonlyMap<string, EffectHandler>;
  readonly #moods = new Map<string, EffectMood>();
  readonly #underWay = new Map<string, UnderWay>();

  constructor(machine: Machine, handlers: ReadonlyMap<string, EffectHandler>) {
    this.#machine = machine;
    this.#handlers = handlers;
  }

  setMood(effect: string, mood: EffectMood): void {
    this.#moods.set(effect, { ...this.#moods.get(effect), ...mood });
  }
  moodOf(effect: string): EffectMood {
    return this.#moods.get(effect) ?? {};
  }

  /** The first row of a key stands; a dropped one begins anew, unless a person has skipped it. */
  request(key: OrderKey, revision: number, requests: readonly EffectRequest[], now: number): void {
    for (const request of requests) {
      const name = effectKey(key, request.name, request.once);
      const known = this.rows.find((row) => row.key === name);
      const fresh = freshRow(key, { revision, request, name, now, id: String(this.rows.length + 1) });
      if (known === undefined) this.rows.push(fresh);
      else if (known.state === 'dropped' && !known.isSkipped) {
        const { state, failures, nextAttemptAtMs, error } = fresh;
        Object.assign(known, { state, failures, nextAttemptAtMs, error, revision });
        if (known.attempt === 0) known.body = fresh.body;
      }
    }
  }

  /** When something of an order's effects is due; null: nothing is by itself. */
  dueAt(order: EffectsOrder): number | null {
    const instants = this.#heads(order).flatMap((row) => {
      const underWay = this.#underWay.get(row.key);
      if (underWay !== undefined) return [underWay.endsAt];
      return this.#mustWait(order, row) ? [] : [row.nextAttemptAtMs ?? 0];
    });
    return instants.length === 0 ? null : Math.min(...instants);
  }

  /** Runs what is due, once; the ends that the order's attention depends on. */
  run(order: EffectsOrder, now: number): EffectEnd[] {
    return this.#heads(order).flatMap((row) => {
      const underWay = this.#underWay.get(row.key);
      if (underWay !== undefined) return underWay.endsAt > now ? [] : this.#end(order, underWay, now);
      if (this.#mustWait(order, row) || (row.nextAttemptAtMs ?? 0) > now) return [];
      return this.#attempt(order, row, now);
    });
  }

  #heads({ key }: EffectsOrder): PureEffect[] {
    const names = new Set<string>();
    const isOpen = (row: PureEffect) => row.state === 'pending' || row.state === 'running';
    return this.rows
      .filter((row) => row.order === key.id && isOpen(row))
      .sort((a, b) => a.revision - b.revision || Number(a.id) - Number(b.id))
      .filter(({ name }) => !names.has(name) && names.add(name));
  }

  #mustWait({ isUncertain }: EffectsOrder, { name, key }: PureEffect): boolean {
    return isUncertain && this.#machine.effects[name]?.sensitive === true && !this.#underWay.has(key);
  }

  #attempt(order: EffectsOrder, row: PureEffect, now: number): EffectEnd[] {
    row.nowMs = now;
    const verdict = judgeClaim({
      row,
      status: order.status,
      openQuestion: order.isUncertain,
      earlierOpen: false,
      handler: this.#handlers.get(row.name),
      policy: this.#machine.effects[row.name],
    });
    if (verdict.kind === 'ended') return [];
    if (verdict.kind === 'wait') {
      row.nextAttemptAtMs = now + verdict.ms;
      return [];
    }
    if (verdict.kind === 'end') {
      Object.assign(row, { state: verdict.state, error: verdict.error });
      return tellEnd(order, row);
    }
    Object.assign(row, {
      state: 'running',
      attempt: row.attempt + 1,
      claimedAtMs: now,
      nextAttemptAtMs: null,
    });
    const { timeoutMs } = verdict.handler;
    const { end, slowMs } = this.#call(row, timeoutMs);
    const underWay = { row, end, endsAt: now + Math.min(slowMs, timeoutMs) };
    this.#underWay.set(row.key, underWay);
    return underWay.endsAt <= now ? this.#end(order, underWay, now) : [];
  }

  /** The receiver of effects, as the story says it behaves. */
  #call(row: PureEffect, timeoutMs: number): { end: AttemptEnd; slowMs: number } {
    const mood = this.moodOf(row.name);
    const { moment, next } = momentOf(mood);
    this.#moods.set(row.name, next);
    row.calls += 1;
    const slowMs = mood.slow === undefined ? 0 : (parseDurationMs(mood.slow) ?? 0);
    if (moment !== 'refuses') row.isDone = true;
    if (slowMs >= timeoutMs) return { end: unknown(`no answer within ${timeoutMs} ms`), slowMs };
    if (moment === 'doesAndIsSilent') return { end: unknown('the connection was lost'), slowMs };
    const status = moment === 'refuses' ? 503 : moment === 'doesAndAnswers500' ? 500 : 200;
    return { end: endOfAnswer(status, null), slowMs };
  }

  #end(order: EffectsOrder, { row, end }: UnderWay, now: number): EffectEnd[] {
    this.#underWay.delete(row.key);
    const handler = this.#handlers.get(row.name) as EffectHandler;
    const { attempt: number, failures, unknownSinceMs, claimedAtMs } = row;
    const attempt = {
      number,
      mode: 'call' as const,
      handler,
      failures,
      unknownSinceMs,
      claimedAtMs: claimedAtMs ?? now,
    };
    const next = judgeEnd(attempt, end, now, () => 0);
    if (next.state === 'done') Object.assign(row, { state: 'done', error: null });
    else {
      const { state, error, failures: failed, unknownSinceMs: unknownSince } = next;
      const nextAttemptAtMs =
        next.state === 'pending' ? now + Math.max(next.delayMs, SHORTEST_PAUSE_MS) : null;
      Object.assign(row, { state, error, failures: failed, unknownSinceMs: unknownSince, nextAttemptAtMs });
    }
    return row.state === 'pending' ? [] : tellEnd(order, row);
  }

  /** In words why the row refuses it; null: it is done, or was so already. */
  takePersonsWord(
    { key, action, seen, by }: { key: string; action: EffectAction; seen: string | null; by: string },
    status: string,
  ): string | null {
    const row = this.rows.find((one) => one.key === key);
    if (row === undefined) return `the order has no effect ${key}`;
    const policy = this.#machine.effects[row.name];
    const verdict = judgePerson({ row, action, seen, status, policy });
    if (verdict.kind === 'refused') return verdict.reason;
    if (verdict.kind === 'same') return null;
    Object.assign(row, {
      state: verdict.state,
      isSkipped: verdict.state === 'dropped',
      error: action === 'retry' ? null : by,
      nextAttemptAtMs: null,
      leasedUntilMs: null,
      ...(verdict.isNotDone ? { unknownSinceMs: null } : {}),
      ...(verdict.state === 'pending' ? { failures: 0 } : {}),
    });
    return null;
  }
}

/** Between two tries of one effect. */
const SHORTEST_PAUSE_MS = 100;

const unknown = (error: string): AttemptEnd => ({ kind: 'unknown', error, retryAfterMs: null });

function tellEnd(order: EffectsOrder, { key, name, state, error }: PureEffect): EffectEnd[] {
  const trouble = state === 'failed' || state === 'uncertain' ? `${state}: ${error ?? ''}` : null;
  return trouble !== null || order.hasTrouble(key) ? [{ key, name, trouble }] : [];
}

function freshRow(
  { machine, environment, id: order }: OrderKey,
  {
    revision,
    request,
    name: key,
    now,
    id,
  }: { revision: number; request: EffectRequest; name: string; now: number; id: string },
): PureEffect {
  const { name, status, previous, cause, facts, mode } = request;
  const about = { machine, environment, id: order, status, previous, revision };
  return {
    id,
    key,
    machine,
    environment,
    order,
    name,
    revision,
    state: mode === 'record' ? 'recorded' : 'pending',
    body: Buffer.from(JSON.stringify({ effect: name, order: about, cause, facts }), 'utf8'),
    url: null,
    attempt: 0,
    failures: 0,
    unknownSinceMs: null,
    claimedAtMs: null,
    leasedUntilMs: null,
    nextAttemptAtMs: null,
    error: null,
    isSkipped: false,
    nowMs: now,
    isDone: false,
    calls: 0,
  };
}
