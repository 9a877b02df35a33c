/**
 * What an error of the driver or the server means to the callers: nothing else in the house looks at its codes.
 * Numbers are those of MySQL 8.4 and MariaDB 10.11.
 */
import { InorderError } from '../errors.ts';

const DEADLOCK = 1213;
const LOCK_WAIT_TIMEOUT = 1205;
/** MySQL's answer to NOWAIT; MariaDB says that it waited. */
const LOCKED_NOW = 3572;
const DUPLICATE_KEY = 1062;
/** MariaDB with innodb_snapshot_isolation: the row changed since it was read. To be retried like a deadlock. */
const RECORD_CHANGED = 1020;

/** The connection is gone, and with it what was not committed. */
const LOST_CODES = new Set([
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_SEQUENCE_TIMEOUT',
  'PROTOCOL_PACKETS_OUT_OF_ORDER',
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
]);
const LOST_NUMBERS = new Set([
  1053 /* server shutdown */, 1158 /* network read */, 1159 /* network read time-out */,
  1160 /* network write */, 1161 /* network write time-out */, 1317 /* query interrupted */,
  1927 /* connection killed, MariaDB */, 4031 /* session ended by wait_timeout, MySQL */,
]);
/** No connection could be made, or the server takes no writes. */
const UNREACHABLE_CODES = new Set([
  'ECONNREFUSED',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
]);
const UNREACHABLE_NUMBERS = new Set([
  1040 /* too many connections */, 1203 /* too many of this user */, 1044 /* no rights on the database */,
  1045 /* access denied */, 1049 /* unknown database */, 1290 /* read-only */,
  1792 /* read-only transaction */, 1836 /* read-only mode */, 1021 /* disk full */, 1114 /* table full */,
  1041 /* out of memory */,
]);

interface SqlError {
  code?: unknown;
  errno?: unknown;
  fatal?: unknown;
}

const partsOf = (error: unknown): SqlError => (typeof error === 'object' && error !== null ? error : {});
const numberOf = (error: unknown): number => {
  const { errno } = partsOf(error);
  return typeof errno === 'number' ? errno : 0;
};
const codeOf = (error: unknown): string => {
  const { code } = partsOf(error);
  return typeof code === 'string' ? code : '';
};

export const isDuplicateKey = (error: unknown): boolean => numberOf(error) === DUPLICATE_KEY;
export const isLockWaitTimeout = (error: unknown): boolean =>
  numberOf(error) === LOCK_WAIT_TIMEOUT || numberOf(error) === LOCKED_NOW;
export const isDeadlock = (error: unknown): boolean =>
  numberOf(error) === DEADLOCK || numberOf(error) === RECORD_CHANGED;

/** The driver refused to use a connection that was closed before: the statement was certainly not sent. */
export const isNeverSent = (error: unknown): boolean =>
  partsOf(error).fatal === true && codeOf(error) === '' && numberOf(error) === 0;

/** The connection ended, at the latest under the statement: whether the statement counted is not known. */
export const isConnectionLost = (error: unknown): boolean =>
  LOST_CODES.has(codeOf(error)) || LOST_NUMBERS.has(numberOf(error)) || isNeverSent(error);

/** The store cannot be used at present; says nothing about the data. */
export const isUnavailable = (error: unknown): boolean =>
  (error instanceof InorderError && error.code === 'store_unavailable') ||
  isConnectionLost(error) ||
  UNREACHABLE_CODES.has(codeOf(error)) ||
  UNREACHABLE_NUMBERS.has(numberOf(error));

/** As an InorderError if the store is away, else as it is. The driver's copy of the SQL, with values, goes (R4). */
export function reported(error: unknown): unknown {
  if (typeof error === 'object' && error !== null && 'sql' in error) delete error.sql;
  if (error instanceof InorderError || !isUnavailable(error)) return error;
  const what = codeOf(error) || (error instanceof Error ? error.message : 'no answer');
  return new InorderError(
    'store_unavailable',
    `MySQL cannot be used at present (${what}); check MYSQL_URL and that the server runs and takes writes.`,
    { cause: error },
  );
}
