/**
 * The receiver's way to the order workflows: what was just stored is offered, gathered per order and signalled.
 *
 * Invariants:
 * 1. `offer` returns at once and never throws: an answer to a provider never waits for Temporal (R6).
 * 2. Per order at most one call is in flight; what arrives meanwhile goes into the next.
 * 3. Bounded: calls at once, tries, and events and bytes in memory. What does not fit, what fails again and what
 *    comes while Temporal is away is let go, because it is a row in MySQL that the sweeper finds.
 * 4. A server that answers too late gets fewer calls at once, so that slowness does not become an outage.
 */
import type { Log } from '../log.ts';
import type { OrderEvent, OrderKey } from '../ordering/state.ts';
import type { Reachability } from '../temporal/reachability.ts';
import { workflowIdOf } from '../temporal/workflow-id.ts';
import { bytesOf, MAX_BYTES_PER_SIGNAL, MAX_EVENTS_PER_SIGNAL, requestIdOf } from './deliver.ts';
import type { Deliver } from './deliver.ts';
import { Pace } from './pace.ts';

/** A stored event that belongs to an order, new or repeated and not yet taken (R7). */
export interface DispatchItem {
  key: OrderKey;
  event: OrderEvent;
}

export interface Dispatch {
  offer(items: DispatchItem[]): void;
  /** Sends what waits, for a bounded time; offers after it are let go. */
  stop(): Promise<void>;
}

export type DispatchFate = 'sent' | 'failed' | 'left_to_sweeper';

export interface DispatchDeps {
  deliver: Deliver;
  reachability: Reachability;
  log: Pick<Log, 'warn'>;
  /** Counts events by what became of them. */
  count?: (fate: DispatchFate, events: number) => void;
  maxCallsInFlight?: number;
  maxWaitingEvents?: number;
  maxWaitingBytes?: number;
  drainMs?: number;
}

interface Waiting {
  event: OrderEvent;
  bytes: number;
  /** Calls that carried it and found no server in time. */
  misses: number;
}
interface OrderLane {
  id: string;
  key: OrderKey;
  waiting: Map<string, Waiting>;
  inFlight: Map<string, Waiting>;
  /** In `ready` or in flight: it will be looked at again. */
  scheduled: boolean;
}

export function createDispatch(deps: DispatchDeps): Dispatch {
  return new OrderQueue(deps);
}

const MAX_TRIES = 3;
const sumOf = (waiting: Waiting[]): number => waiting.reduce((sum, { bytes }) => sum + bytes, 0);

class OrderQueue implements Dispatch {
  readonly #deps: Required<DispatchDeps>;
  readonly #lanes = new Map<string, OrderLane>();
  #ready: OrderLane[] = [];
  #calls = 0;
  readonly #pace: Pace;
  #waitingEvents = 0;
  #waitingBytes = 0;
  #isFull = false;
  #pumpScheduled = false;
  #stopping: Promise<void> | null = null;
  #whenIdle: (() => void) | null = null;

  constructor(deps: DispatchDeps) {
    this.#deps = {
      count: () => {},
      maxCallsInFlight: 32,
      maxWaitingEvents: 20_000,
      maxWaitingBytes: 16_000_000,
      drainMs: 3_000,
      ...deps,
    };
    this.#pace = new Pace(this.#deps.maxCallsInFlight);
    deps.reachability.onChange(({ reachable }) => {
      if (!reachable) this.#letGoOfAll();
    });
  }

  offer(items: DispatchItem[]): void {
    if (this.#stopping || this.#deps.reachability.isDown) {
      this.#deps.count('left_to_sweeper', items.length);
      return;
    }
    for (const item of items) this.#enqueue(item);
    this.#schedulePump();
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#drain();
    return this.#stopping;
  }

  #enqueue({ key, event }: DispatchItem): void {
    const id = workflowIdOf(key);
    const lane = this.#lanes.get(id);
    if (lane && (lane.waiting.has(event.seq) || lane.inFlight.has(event.seq))) return;
    const bytes = bytesOf(event);
    const { maxWaitingEvents, maxWaitingBytes } = this.#deps;
    if (this.#waitingEvents >= maxWaitingEvents || this.#waitingBytes + bytes > maxWaitingBytes) {
      this.#refuse();
      return;
    }
    const target = lane ?? { id, key, waiting: new Map(), inFlight: new Map(), scheduled: false };
    if (!lane) this.#lanes.set(id, target);
    this.#putIn(target, { event, bytes, misses: 0 });
    if (!target.scheduled) {
      target.scheduled = true;
      this.#ready.push(target);
    }
  }

  #putIn(lane: OrderLane, waiting: Waiting): void {
    lane.waiting.set(waiting.event.seq, waiting);
    this.#waitingEvents += 1;
    this.#waitingBytes += waiting.bytes;
  }

  /** Said once per time it fills up, not per event. */
  #refuse(): void {
    if (!this.#isFull) {
      this.#isFull = true;
      this.#deps.log.warn(
        { count: this.#waitingEvents },
        'Temporal takes signals slower than events arrive; the rest is left to the sweeper',
      );
    }
    this.#deps.count('left_to_sweeper', 1);
  }

  /** Not in the caller's turn of the event loop: encoding signals would delay the answers it has to give. */
  #schedulePump(): void {
    if (this.#pumpScheduled) return;
    this.#pumpScheduled = true;
    setImmediate(() => {
      this.#pumpScheduled = false;
      this.#pump();
    });
  }

  #pump(): void {
    let next = 0;
    while (this.#calls < this.#pace.limit && next < this.#ready.length) {
      const lane = this.#ready[next++] as OrderLane;
      this.#calls += 1;
      void this.#send(lane).finally(() => {
        this.#calls -= 1;
        if (lane.waiting.size > 0) this.#ready.push(lane);
        else {
          lane.scheduled = false;
          this.#lanes.delete(lane.id);
        }
        this.#pump();
      });
    }
    if (next > 0) this.#ready = this.#ready.slice(next);
    if (this.#calls === 0 && this.#ready.length === 0) this.#whenIdle?.();
  }

  async #send(lane: OrderLane): Promise<void> {
    const events = this.#takeSignal(lane);
    if (events.length === 0) return;
    const result = await this.#deps.deliver(lane.key, events, requestIdOf(events));
    const carried = [...lane.inFlight.values()];
    lane.inFlight.clear();
    if (result.kind === 'unreachable') {
      this.#missed(lane, carried);
      return;
    }
    this.#deps.reachability.succeeded();
    this.#pace.faster();
    this.#deps.count(result.kind === 'sent' ? 'sent' : 'failed', events.length);
    if (result.kind === 'refused') {
      this.#deps.log.warn(
        { workflow: lane.id, count: events.length, error: result.error },
        'Temporal refused a signal; its events are left to the sweeper',
      );
    }
  }

  /** Tried again a little later, unless there is an outage: the server drops what it has had after all. */
  #missed(lane: OrderLane, carried: Waiting[]): void {
    this.#pace.slower();
    this.#deps.reachability.failed();
    const hopeful = carried.filter(({ misses }) => misses + 1 < MAX_TRIES);
    const isGivenUp = this.#stopping !== null || this.#deps.reachability.isDown;
    const again = isGivenUp ? [] : hopeful;
    this.#deps.count('failed', carried.length - again.length);
    const newer = [...lane.waiting.values()];
    this.#release(newer.length, sumOf(newer));
    lane.waiting.clear();
    for (const waiting of again) this.#putIn(lane, { ...waiting, misses: waiting.misses + 1 });
    for (const waiting of newer) this.#putIn(lane, waiting);
  }

  #takeSignal(lane: OrderLane): OrderEvent[] {
    const events: OrderEvent[] = [];
    let signalBytes = 0;
    for (const [seq, waiting] of lane.waiting) {
      const { event, bytes } = waiting;
      const isFull = events.length >= MAX_EVENTS_PER_SIGNAL || signalBytes + bytes > MAX_BYTES_PER_SIGNAL;
      if (isFull && events.length > 0) break;
      events.push(event);
      signalBytes += bytes;
      lane.waiting.delete(seq);
      lane.inFlight.set(seq, waiting);
    }
    this.#release(events.length, signalBytes);
    return events;
  }

  #letGoOfAll(): void {
    this.#deps.count('left_to_sweeper', this.#waitingEvents);
    for (const lane of this.#lanes.values()) lane.waiting.clear();
    this.#release(this.#waitingEvents, this.#waitingBytes);
  }

  #release(events: number, bytes: number): void {
    this.#waitingEvents -= events;
    this.#waitingBytes -= bytes;
    if (this.#waitingEvents * 2 < this.#deps.maxWaitingEvents) this.#isFull = false;
  }

  async #drain(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeUp = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#deps.drainMs);
    });
    const idle = new Promise<void>((resolve) => {
      this.#whenIdle = resolve;
      this.#schedulePump();
    });
    await Promise.race([idle, timeUp]);
    clearTimeout(timer);
    this.#letGoOfAll();
  }
}
