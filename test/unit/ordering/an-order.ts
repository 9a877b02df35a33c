/** One order of the demo's machine, told what happens line by line; everything it said is kept. */
import { decide, withSources } from '../../../src/ordering/decide.ts';
import { freshState } from '../../../src/ordering/fresh-state.ts';
import type { Machine } from '../../../src/ordering/machine.ts';
import { reconcile, resolve } from '../../../src/ordering/resolve.ts';
import type { Resolution } from '../../../src/ordering/resolve.ts';
import { settle, settleFind } from '../../../src/ordering/settle.ts';
import type {
  Answer,
  Decision,
  EffectRequest,
  EventOutcome,
  Facts,
  JournalEntry,
  OrderEvent,
  OrderState,
  SourcePolicy,
  StreamState,
} from '../../../src/ordering/state.ts';
import { dueAt } from '../../../src/ordering/timers.ts';
import { wake } from '../../../src/ordering/wake.ts';
import { POLICY } from '../dispatch/policy.ts';
import { demoMachine } from '../dispatch/demo-machine.ts';

export const SHOP = 'shop/order:1';
export const PAY = 'pay/payment:1';
export const PAY2 = 'pay/payment:2';
export const DISPUTE = 'pay/dispute:1';

/** What the sources promise where a test says nothing: contiguous versions and an API. */
const PAYMENT_OF: Record<string, string> = { [PAY]: 'p1', [PAY2]: 'p2', [DISPUTE]: 'p1' };

export const SEQUENCE: Partial<SourcePolicy> = { contract: 'sequence', api: false };
export const MONOTONIC: Partial<SourcePolicy> = { contract: 'monotonic', api: false, first: 'any' };
export const HINTS: Partial<SourcePolicy> = { contract: 'unordered', api: true, first: 'any' };
export const TABLE_ALONE: Partial<SourcePolicy> = { contract: 'unordered', api: false, first: 'any' };
export const ASKABLE: Partial<SourcePolicy> = { api: true };

export interface Said {
  type?: string | null;
  version?: number | string | null;
  id?: string;
  facts?: Facts;
  payment?: string | null;
  claimedAt?: string;
  createdAt?: string;
  twin?: true;
  conflict?: true;
}

export const factOf = (type: string | null, facts: Facts = {}) => `${type} ${JSON.stringify(facts)}`;

let count = 0;

export function event(stream: string, type: string | null, version: number | string | null, more: Said = {}) {
  const seq = String(++count);
  const facts = more.facts ?? {};
  const said: OrderEvent = {
    seq,
    source: stream.split('/')[0] as string,
    event: more.id ?? `evt_${seq}`,
    stream,
    type,
    payment: more.payment === undefined ? (PAYMENT_OF[stream] ?? null) : more.payment,
    version: version === null ? null : String(version),
    claimedAt: more.claimedAt ?? null,
    fact: factOf(type, facts),
    facts,
  };
  if (more.createdAt !== undefined) said.createdAt = more.createdAt;
  if (more.twin) said.twin = true;
  if (more.conflict) said.conflict = true;
  return said;
}

/** Begins an order whose sources `shop` and `pay` promise what is said, and else what `POLICY` does. */
export function anOrder(
  promises: { shop?: Partial<SourcePolicy>; pay?: Partial<SourcePolicy> } = {},
  machine: Machine = demoMachine,
  known: (state: OrderState) => OrderState = (state) => state,
) {
  const key = { machine: 'order', environment: 'test', id: '1' };
  let state: OrderState = withSources(known(freshState(machine, key)), {
    shop: { ...POLICY, ...promises.shop },
    pay: { ...POLICY, ...promises.pay },
  });
  let now = 1_000_000;
  const outcomes: EventOutcome[] = [];
  const journal: JournalEntry[] = [];
  const effects: string[] = [];
  const requests: EffectRequest[] = [];

  function take(decision: Decision): Decision {
    state = decision.state;
    outcomes.push(...decision.outcomes);
    journal.push(...decision.journal);
    requests.push(...decision.effects);
    for (const { name, once } of decision.effects) {
      const effect = once === 'order' ? name : `${name} ${once}`;
      if (!effects.includes(effect)) effects.push(effect);
    }
    return decision;
  }

  const order = {
    journal,
    effects,
    /** Effects that are to run, in words; the others are only written down. */
    get running() {
      return requests.flatMap(({ name, once, mode }) => (mode === 'run' ? [`${name} ${once}`] : []));
    },
    get state() {
      return state;
    },
    get now() {
      return now;
    },
    get status() {
      return state.status;
    },
    /** Kinds and reasons. */
    get attention() {
      return state.attention.map(({ kind, reason }) => `${kind}: ${reason}`);
    },
    get dueAt() {
      return dueAt(state);
    },
    stream: (name: string) => state.streams[name] as StreamState,
    /** Streams that are being asked about now. */
    get asking() {
      return Object.keys(state.streams)
        .filter((name) => state.streams[name]?.ask?.retryAt === null)
        .sort();
    },
    outcomeOf: (said: OrderEvent) => outcomes.findLast(({ ref }) => ref.seq === said.seq)?.outcome,
    reasonOf: (said: OrderEvent) => outcomes.findLast(({ ref }) => ref.seq === said.seq)?.reason,
    /** Delivers events together, or one that is told in place. */
    hear: (...events: OrderEvent[]) => take(decide(machine, state, events, now)),
    say(stream: string, type: string | null, version: number | string | null, more: Said = {}) {
      const said = event(stream, type, version, more);
      take(decide(machine, state, [said], now));
      return said;
    },
    answer(
      stream: string,
      type: string | null,
      version: number | string | null,
      more: Said & { parts?: (string | { refund: string; createdAt: string })[]; asOf?: number } = {},
    ) {
      const facts = more.facts ?? {};
      const parts = (more.parts ?? []).map((listed) => {
        const { refund, ...made } = typeof listed === 'string' ? { refund: listed } : listed;
        const part = { refund };
        return { type: 'payment.refunded', fact: factOf('payment.refunded', part), facts: part, ...made };
      });
      const snapshot = {
        stream,
        type,
        version: version === null ? null : String(version),
        payment: more.payment === undefined ? (PAYMENT_OF[stream] ?? null) : more.payment,
        fact: factOf(type, facts),
        facts,
        asOf: more.asOf ?? now,
        ...(more.createdAt === undefined ? {} : { createdAt: more.createdAt }),
        parts,
      };
      return order.take({ kind: 'snapshot', snapshot }, stream);
    },
    gone: (stream: string) => order.take({ kind: 'gone', stream, asOf: now }, stream),
    down: (stream: string, retryAfterMs: number | null = null) =>
      order.take({ kind: 'unavailable', stream, asOf: now, error: 'down', retryAfterMs }, stream),
    take: (answer: Answer, stream: string) =>
      take(settle(machine, state, answer, state.streams[stream]?.ask?.n ?? 0, now)),
    found: (source: string, streams: string[]) =>
      take(settleFind(machine, state, { kind: 'found', source, streams }, state.finds[source]?.n ?? 0, now)),
    searchFails: (source: string) =>
      take(
        settleFind(
          machine,
          state,
          { kind: 'unavailable', source, retryAfterMs: null },
          state.finds[source]?.n ?? 0,
          now,
        ),
      ),
    pass(ms: number) {
      now += ms;
    },
    /** Wakes as often as something is due until so much time has passed. */
    passAndWake(ms: number) {
      const until = now + ms;
      for (let due = dueAt(state); due !== null && due <= until; due = dueAt(state)) {
        now = Math.max(now, due);
        take(wake(machine, state, now));
      }
      now = until;
    },
    resolve(stream: string | null, said: OrderEvent | null, as: Resolution['as']) {
      const decided = resolve(machine, state, { stream, event: said, by: 'ada: looked', as }, now);
      if ('refused' in decided) return decided.refused;
      take(decided);
      return null;
    },
    reconcile: (stream: string | null) => take(reconcile(machine, state, { stream, by: 'ada: looked' }, now)),
  };
  return order;
}
