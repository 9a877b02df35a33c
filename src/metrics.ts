/**
 * All metrics, and the only file that knows the metrics library. Labels are closed sets (a configured source, a code,
 * an outcome); never an id, an address or anything a stranger chose, so that no flood can grow them.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

import type { RefusalCode } from './providers/provider.ts';

/** Stands for sources that are not configured; no source can have this name. */
export const UNKNOWN_SOURCE = '(unknown)';

export type DeliveryAnswer = 'accepted' | 'known' | 'refused' | 'failed';

const LISTED_FATES = ['found', 'known', 'unwanted', 'unreadable'] as const;
export type ListedFate = (typeof LISTED_FATES)[number];

export interface Metrics {
  /** One delivery was answered. */
  answered: (source: string, answer: DeliveryAnswer, seconds: number) => void;
  /** One delivery, or one item of it, was refused. */
  refused: (source: string, reason: RefusalCode | 'request_malformed') => void;
  /** One event was stored: `new`, or what the door knew of its outcome. */
  stored: (source: string, outcome: string) => void;
  connectionDropped: () => void;
  dispatched: (fate: string, events: number) => void;
  /** What a round of the sweeper did. */
  swept: (what: string, n: number) => void;
  /** What a page of a source's list held, by what became of it. */
  listed: (source: string, counts: Record<ListedFate, number>) => void;
  /** A value that is read when the metrics are; null: unknown now. */
  observe: (name: string, help: string, read: () => number | null | Promise<number | null>) => void;
  text: () => Promise<string>;
  readonly contentType: string;
}

const ANSWER_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics(): Metrics {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  const deliveries = new Counter({
    name: 'inorder_deliveries_total',
    help: 'Deliveries by how they were answered',
    labelNames: ['source', 'answer'],
    registers,
  });
  const seconds = new Histogram({
    name: 'inorder_answer_seconds',
    help: 'From the request line to the answer, of deliveries that were stored or known',
    labelNames: ['source'],
    buckets: ANSWER_SECONDS,
    registers,
  });
  const refusals = new Counter({
    name: 'inorder_refused_total',
    help: 'Refused deliveries and items by reason',
    labelNames: ['source', 'reason'],
    registers,
  });
  const events = new Counter({
    name: 'inorder_events_stored_total',
    help: 'Events by what was known of them when they were stored',
    labelNames: ['source', 'outcome'],
    registers,
  });
  const dropped = new Counter({
    name: 'inorder_connections_dropped_total',
    help: 'Connections turned away because too many were open',
    registers,
  });
  const dispatched = new Counter({
    name: 'inorder_dispatched_total',
    help: 'Events offered to their order workflow by what became of the signal',
    labelNames: ['fate'],
    registers,
  });
  const swept = new Counter({
    name: 'inorder_swept_total',
    help: 'What the sweeper found and did: events linked and sent again, orders woken',
    labelNames: ['what'],
    registers,
  });
  const listed = new Counter({
    name: 'inorder_listed_total',
    help: 'What the lists of providers held: found, known already, unwanted, unreadable',
    labelNames: ['source', 'fate'],
    registers,
  });
  return {
    answered(source, answer, elapsed) {
      deliveries.inc({ source, answer });
      if (answer === 'accepted' || answer === 'known') seconds.observe({ source }, elapsed);
    },
    refused: (source, reason) => {
      refusals.inc({ source, reason });
    },
    stored: (source, outcome) => {
      events.inc({ source, outcome });
    },
    connectionDropped: () => {
      dropped.inc();
    },
    dispatched: (fate, count) => {
      dispatched.inc({ fate }, count);
    },
    swept: (what, n) => {
      swept.inc({ what }, n);
    },
    listed: (source, counts) => {
      for (const fate of LISTED_FATES) listed.inc({ source, fate }, counts[fate]);
    },
    observe(name, help, read) {
      const gauge = new Gauge({
        name,
        help,
        registers: [],
        async collect() {
          const value = await read();
          // A gap in the curve says "unknown"; a last value would say that nothing moves.
          if (value === null) this.reset();
          else this.set(value);
        },
      });
      register.registerMetric(gauge);
    },
    text: () => register.metrics(),
    contentType: register.contentType,
  };
}
