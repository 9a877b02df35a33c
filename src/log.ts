/**
 * The log of the long-running processes: one JSON line per happening, on stderr, because stdout is for data.
 *
 * 1. Only the fields named here are ever written. Whatever else an object carries (a body, a header, a secret) is
 *    left out, at run time too, so that a careless caller leaks nothing (R4).
 * 2. Of an error its name, code, message, stack and causes are written; never the statement or the values it came
 *    with.
 * 3. Passwords inside URLs are blanked, long texts are cut.
 */
import { destination, pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

const FIELDS = [
  'source',
  'machine',
  'environment',
  'order',
  'event',
  'events',
  'effect',
  'workflow',
  'run',
  'reason',
  'outcome',
  'count',
  'waiting',
  'bytes',
  'attempt',
  'durationMs',
  'address',
  'port',
  'signal',
  'version',
];
const MAX_TEXT = 1_000;
const MAX_STACK = 4_000;
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
  for (const name of FIELDS) {
    const value = fields[name];
    if (typeof value === 'string') line[name] = clean(value, MAX_TEXT);
    else if (typeof value === 'number' || typeof value === 'boolean') line[name] = value;
  }
  // pino puts an error that is logged by itself under `err`.
  const error = fields['error'] ?? fields['err'];
  if (error !== undefined) line['error'] = describe(error, 0);
  return line;
}

function describe(thrown: unknown, depth: number): Record<string, unknown> {
  if (!(thrown instanceof Error)) return { message: clean(String(thrown), MAX_TEXT) };
  const described: Record<string, unknown> = {
    name: thrown.name,
    message: clean(thrown.message, MAX_TEXT),
  };
  if ('code' in thrown && (typeof thrown.code === 'string' || typeof thrown.code === 'number')) {
    described['code'] = thrown.code;
  }
  if (thrown.stack !== undefined) described['stack'] = clean(thrown.stack, MAX_STACK);
  if (thrown.cause !== undefined && depth < MAX_CAUSES) {
    described['cause'] = describe(thrown.cause, depth + 1);
  }
  return described;
}

function clean(text: string, maxLength: number): string {
  const short = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return short.replace(/\/\/[^/\s@]*@/g, '//***@');
}
