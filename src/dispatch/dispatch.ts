/**
 * The receiver's way to the order workflows: what was just stored is offered, gathered per order and signalled.
 *
 * Invariants:
 * 1. `offer` returns at once and never throws: an answer to a provider never waits for Temporal (R6).
 * 2. Per order at most one call is in flight; what arrives meanwhile goes into the next.
 * 3. Bounded: calls at once, and events and bytes in memory. What does not fit, what fails and what comes while
 *    Temporal is away is let go, because it is a row in MySQL that the sweeper finds.
 */
import type { Log } from '../log.ts';
import type { OrderEvent, OrderKey } from '../ordering/state.ts';
import type { Reachability } from '../temporal/reachability.ts';
import { workflowIdOf } from '../temporal/workflow-id.ts';
import { bytesOf, MAX_BYTES_PER_SIGNAL, MAX_EVENTS_PER_SIGNAL, requestIdOf } from './deliver.ts';
import type { Deliver } from './deliver.ts';

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
}
interface OrderLane {
  id: string;
  key: OrderKey;
  waiting: Map<string, Waiting>;
  inFlight: Set<string>;
  /** In `ready` or in flight: it will be looked at again. */
  scheduled: boolean;
}

export function createDispatch(deps: DispatchDeps): Dispatch {
  return new OrderQueue(deps);
}

class OrderQueue implements Dispatch {
  readonly #deps: Required<DispatchDeps>;
  readonly #lanes = new Map<string, OrderLane>();
  #ready: OrderLane[] = [];
  #calls = 0;
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
    const target = lane ?? { id, key, waiting: new Map(), inFlight: new Set(), scheduled: false };
    if (!lane) this.#lanes.set(id, target);
    target.waiting.set(event.seq, { event, bytes });
    this.#waitingEvents += 1;
    this.#waitingBytes += bytes;
    if (!target.scheduled) {
      target.scheduled = true;
      this.#ready.push(target);
    }
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
    while (this.#calls < this.#deps.maxCallsInFlight && next < this.#ready.length) {
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
    lane.inFlight.clear();
    if (result.kind !== 'unreachable') this.#deps.reachability.succeeded();
    if (result.kind === 'sent') {
      this.#deps.count('sent', events.length);
      return;
    }
    this.#deps.count('failed', events.length);
    if (result.kind === 'unreachable') this.#deps.reachability.failed(result.error);
    else {
      this.#deps.log.warn(
        { workflow: lane.id, count: events.length, error: result.error },
        'Temporal refused a signal; its events are left to the sweeper',
      );
    }
  }

  #takeSignal(lane: OrderLane): OrderEvent[] {
    const events: OrderEvent[] = [];
    let signalBytes = 0;
    for (const [seq, { event, bytes }] of lane.waiting) {
      const isFull = events.length >= MAX_EVENTS_PER_SIGNAL || signalBytes + bytes > MAX_BYTES_PER_SIGNAL;
      if (isFull && events.length > 0) break;
      events.push(event);
      signalBytes += bytes;
      lane.waiting.delete(seq);
      lane.inFlight.add(seq);
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
