/**
 * What a webhook handler of the comparison is given: what its framework, its driver and its shop would give it. Each
 * handler is one function in a file of its own, as it would be written in an application.
 */
import type { Pool } from 'mysql2/promise';

export interface WebhookEvent {
  id: string;
  type: string;
  order: string;
  /** When it happened, in whole seconds: as most providers say it. */
  created: number;
  /** The refund it tells of. */
  refund: string | null;
}

export interface Tools {
  db: Pool;
  /** Asks the provider how the order stands. */
  fetchOrder: (order: string) => Promise<{ status: string; refunds: string[] }>;
  /** Does what the shop does when an order comes into a status; each thing once, as far as it is remembered. */
  runEffects: (order: string, status: string, refunds: readonly string[]) => Promise<void>;
  /** Where a crash may come. */
  reached: (point: CrashPoint) => void;
}

/** What it throws is answered 500, and the provider sends the event again. */
export type Handler = (event: WebhookEvent, tools: Tools) => Promise<void>;

/** After the order was written and before an effect; after an effect and before it is remembered; before the answer. */
export const CRASH_POINTS = ['written', 'done', 'answering'] as const;
export type CrashPoint = (typeof CRASH_POINTS)[number];

/** What is to be done on entry to each status, as in the shop's table. */
export const EFFECTS_OF: Readonly<Record<string, readonly string[]>> = {
  paid: ['fulfil', 'sendReceipt'],
  cancelled: ['releaseStock'],
  partially_refunded: ['bookRefund'],
  refunded: ['bookRefund', 'revokeAccess'],
  disputed: ['alertFinance'],
  charged_back: ['revokeAccess'],
};

/** Of MySQL and MariaDB: a unique key is taken. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ER_DUP_ENTRY';
