/**
 * The log of the long-running processes: one JSON line per happening, on stderr, because stdout is for data.
 *
 * 1. Only the fields named here are ever written. Whatever else an object carries (a body, a header, a secret) is
 *    left out, at run time too, so that a careless caller leaks nothing (R4).
 * 2. Of an error its code, message, stack and causes are written; never the statement or the values it came with.
 * 3. Passwords inside URLs are blanked, long texts are cut.
 */
import { destination, pino } from 'pino';
import type { DestinationStream } from 'pino';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

/** All that may be said in a log line beside its message. */
export interface LogFields {
  component?: string;
  source?: string;
  machine?: string;
  environment?: string;
  order?: string;
  event?: string;
  effect?: string;
  workflow?: string;
  run?: string;
  reason?: string;
  outcome?: string;
  count?: number;
  attempt?: number;
  durationMs?: number;
  address?: string;
  port?: number;
  signal?: string;
  version?: string;
  error?: unknown;
}

export interface Log {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  fatal(fields: LogFields, message: string): void;
}

const PLAIN_FIELDS = [
  'component',
  'source',
  'machine',
  'environment',
  'order',
  'event',
  'effect',
  'workflow',
  'run',
  'reason',
  'outcome',
  'count',
  'attempt',
  'durationMs',
  'address',
  'port',
  'signal',
  'version',
] as const satisfies (keyof LogFields)[];

const MAX_TEXT = 1_000;
const MAX_CAUSES = 4;

export function createLog(
  level: LogLevel,
  component: string,
  stream: DestinationStream = destination({ fd: 2, sync: true }),
): Log {
  return pino(
    {
      level,
      base: { component },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }), log: allowed },
    },
    stream,
  );
}

function allowed(fields: Record<string, unknown>): Record<string, unknown> {
  const line: Record<string, unknown> = {};
  for (const name of PLAIN_FIELDS) {
    const value = fields[name];
    if (typeof value === 'string') line[name] = clean(value);
    else if (typeof value === 'number') line[name] = value;
  }
  if (fields['error'] !== undefined) line['error'] = describe(fields['error'], 0);
  return line;
}

function describe(thrown: unknown, depth: number): Record<string, unknown> {
  if (!(thrown instanceof Error)) return { message: clean(String(thrown)) };
  const described: Record<string, unknown> = { name: thrown.name, message: clean(thrown.message) };
  if ('code' in thrown && (typeof thrown.code === 'string' || typeof thrown.code === 'number')) {
    described['code'] = thrown.code;
  }
  if (thrown.stack !== undefined) described['stack'] = clean(thrown.stack);
  if (thrown.cause !== undefined && depth < MAX_CAUSES)
    described['cause'] = describe(thrown.cause, depth + 1);
  return described;
}

function clean(text: string): string {
  const short = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
  return short.replace(/\/\/[^/\s@]*@/g, '//***@');
}
