/**
 * The one table of environment variables: name, default, unit, effect. Everything else is in the configuration
 * file. Unknown `INORDER_*` names are refused, because a mistyped one would silently do nothing; empty means unset.
 * docs/configuration.md shows this table.
 */
import { InorderError } from '../errors.ts';
import type { LogLevel } from '../log.ts';
import { didYouMean } from '../ordering/did-you-mean.ts';
import { readVariable } from './read-variable.ts';
import type { Variables } from './read-variable.ts';

interface Variable<T> {
  name: string;
  /** As it would be written; null: none. */
  default: string | null;
  unit: string;
  effect: string;
  /** May come from a file, and is never shown. */
  secret: boolean;
  parse: (text: string) => { value: T } | { problem: string };
}

const LOG_LEVELS: LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

export const VARIABLES = {
  mysqlUrl: variable({
    name: 'MYSQL_URL',
    default: null,
    unit: 'URL',
    effect: 'The database that keeps everything: mysql://user:password@host:3306/database.',
    secret: true,
    parse: mysqlUrl,
  }),
  temporalAddress: variable({
    name: 'TEMPORAL_ADDRESS',
    default: '127.0.0.1:7233',
    unit: 'host:port',
    effect: 'The Temporal server.',
    parse: hostAndPort,
  }),
  temporalNamespace: variable({
    name: 'TEMPORAL_NAMESPACE',
    default: 'default',
    unit: 'name',
    effect: 'The namespace its workflows live in.',
    parse: (text) => ({ value: text }),
  }),
  taskQueue: variable({
    name: 'INORDER_TASK_QUEUE',
    default: 'inorder',
    unit: 'name',
    effect: 'The task queue of the workers; the queues for asks are named after it.',
    parse: taskQueue,
  }),
  configFile: variable({
    name: 'INORDER_CONFIG',
    default: 'inorder.config.ts',
    unit: 'path',
    effect: 'The configuration file, relative to the working directory.',
    parse: (text) => ({ value: text }),
  }),
  host: variable({
    name: 'INORDER_HOST',
    default: '0.0.0.0',
    unit: 'address',
    effect: 'Where the public listener (webhooks, /livez, /readyz) binds.',
    parse: (text) => ({ value: text }),
  }),
  port: variable({
    name: 'INORDER_PORT',
    default: '8080',
    unit: 'port',
    effect: 'Port of the public listener; 0 takes a free one.',
    parse: port,
  }),
  operationsHost: variable({
    name: 'INORDER_OPERATIONS_HOST',
    default: '127.0.0.1',
    unit: 'address',
    effect: 'Where the private listener (/metrics, /healthz, /livez) binds.',
    parse: (text) => ({ value: text }),
  }),
  operationsPort: variable({
    name: 'INORDER_OPERATIONS_PORT',
    default: '8081',
    unit: 'port',
    effect: 'Port of the private listener; 0 takes a free one. Receiver and worker on one host need two.',
    parse: port,
  }),
  publicUrl: variable<string | null>({
    name: 'INORDER_PUBLIC_URL',
    default: null,
    unit: 'URL',
    effect: 'The address providers send to, for schemes that sign the URL.',
    parse: publicUrl,
  }),
  canarySecret: variable<string | null>({
    name: 'INORDER_CANARY_SECRET',
    default: null,
    unit: 'secret',
    effect: 'Receivers that have it take the canary of `inorder doctor`, which signs with it.',
    secret: true,
    parse: canarySecret,
  }),
  logLevel: variable({
    name: 'INORDER_LOG_LEVEL',
    default: 'info',
    unit: LOG_LEVELS.join(', '),
    effect: 'The least important log line that is written.',
    parse: logLevel,
  }),
};

type Table = typeof VARIABLES;
type Values = { [K in keyof Table]: Table[K] extends Variable<infer T> ? T : never };
export type Environment = Values;
/** For commands that work without a database, or bring their own. */
export type EnvironmentWithoutStore = Omit<Values, 'mysqlUrl'> & { mysqlUrl: string | null };

export type ReadEnvironment = { environment: Environment } | { problems: string[] };

/** All values, or everything that is wrong. */
export function readEnvironment(variables: Variables): ReadEnvironment {
  const { values, problems } = read(variables);
  if (values['mysqlUrl'] === null) {
    problems.push('MYSQL_URL is not set; it names the database, as mysql://user:password@host:3306/database');
  }
  return problems.length > 0 ? { problems } : { environment: values as Environment };
}

/** All values, or one error that names everything wrong. */
export function loadEnvironment(variables: Variables): Environment {
  const found = readEnvironment(variables);
  if ('environment' in found) return found.environment;
  throw new InorderError('environment_invalid', environmentMessage(found.problems));
}

export function loadEnvironmentWithoutStore(variables: Variables): EnvironmentWithoutStore {
  const { values, problems } = read(variables);
  if (problems.length > 0) throw new InorderError('environment_invalid', environmentMessage(problems));
  return values as EnvironmentWithoutStore;
}

export const environmentMessage = (problems: string[]): string =>
  `The environment is not usable:${problems.map((problem) => `\n  - ${problem}`).join('')}`;

function read(variables: Variables): { values: Record<string, unknown>; problems: string[] } {
  const values: Record<string, unknown> = {};
  const problems = unknownNames(variables);
  for (const [field, entry] of Object.entries(VARIABLES) as [string, Variable<unknown>][]) {
    const found = entry.secret
      ? readVariable(variables, entry.name)
      : { value: (variables[entry.name] ?? '') === '' ? null : (variables[entry.name] as string) };
    if ('problem' in found) {
      problems.push(found.problem);
      continue;
    }
    const text = found.value ?? entry.default;
    if (text === null) {
      values[field] = null;
      continue;
    }
    const parsed = entry.parse(text);
    if ('value' in parsed) values[field] = parsed.value;
    else problems.push(`${entry.name} ${parsed.problem}${entry.secret ? '' : `; it is '${text}'`}`);
  }
  return { values, problems };
}

function unknownNames(variables: Variables): string[] {
  const known = Object.values(VARIABLES).flatMap(({ name, secret }) =>
    secret ? [name, `${name}_FILE`] : [name],
  );
  return Object.keys(variables)
    .filter((name) => name.startsWith('INORDER_') && !known.includes(name) && variables[name] !== '')
    .map((name) => `${name} is not a variable of inorder.${didYouMean(name, known)}`);
}

function variable<T>(entry: Omit<Variable<T>, 'secret'> & { secret?: boolean }): Variable<T> {
  return { secret: false, ...entry };
}

function mysqlUrl(text: string): { value: string } | { problem: string } {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'mysql:' && url.protocol !== 'mariadb:') || url.hostname === '') {
    return {
      problem: 'must look like mysql://user:password@host:3306/database (special letters percent-encoded)',
    };
  }
  if (url.pathname.length < 2)
    return { problem: 'names no database; put its name after the host, as …:3306/inorder' };
  return { value: text };
}

function hostAndPort(text: string): { value: string } | { problem: string } {
  return /^(\[[0-9a-fA-F:]+\]|[^\s:/@]+):\d{1,5}$/.test(text)
    ? { value: text }
    : { problem: 'must be host:port, without a scheme' };
}

function taskQueue(text: string): { value: string } | { problem: string } {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(text)
    ? { value: text }
    : { problem: "must be letters, digits, '.', '_' or '-', at most 100" };
}

function port(text: string): { value: number } | { problem: string } {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return value <= 65_535 ? { value } : { problem: 'must be a port from 0 to 65535' };
}

function publicUrl(text: string): { value: string } | { problem: string } {
  const url = URL.canParse(text) ? new URL(text) : null;
  const usable = url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
  return usable
    ? { value: text.replace(/\/+$/, '') }
    : { problem: 'must be an http or https URL without a query' };
}

/** Whoever has it can make receivers store events of no order: not guessable, and of the form of other secrets. */
function canarySecret(text: string): { value: string } | { problem: string } {
  return /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(text)
    ? { value: text }
    : { problem: 'must be whsec_ and at least 24 random bytes in base64' };
}

function logLevel(text: string): { value: LogLevel } | { problem: string } {
  const level = LOG_LEVELS.find((known) => known === text);
  return level ? { value: level } : { problem: `must be one of ${LOG_LEVELS.join(', ')}` };
}
