/** The four handlers that inorder is compared with, by name. */
import type { Handler } from './handler.ts';
import { lastArrival } from './last-arrival.ts';
import { newer } from './newer.ts';
import { newerOrEqual } from './newer-or-equal.ts';
import { refetch } from './refetch.ts';

export const HANDLERS = { lastArrival, newer, newerOrEqual, refetch } satisfies Record<string, Handler>;
export type HandlerName = keyof typeof HANDLERS;
export const HANDLER_NAMES = Object.keys(HANDLERS) as HandlerName[];

/** What the process of one is told. */
export interface HandlerOrder {
  handler: HandlerName;
  port: number;
  mysqlUrl: string;
  effectsUrl: string;
  api: { url: string; key: string };
  /** By source. */
  secrets: Record<string, string[]>;
  /** Where it says, before it kills itself, at which delivery it does. */
  crashFolder: string;
}

export const CRASH_HEADER = 'x-crash-at';
