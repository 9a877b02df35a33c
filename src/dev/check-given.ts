/**
 * Whether servers that the environment names are there, asked before anything is started: a process waits a minute
 * for its servers, as machines come up in any order; a person who has mistyped an address should not.
 */
import { createConnection } from 'mysql2/promise';
import { InorderError } from '../errors.ts';
import { connectLazily, probe } from '../temporal/connection.ts';

const LIMIT_MS = 4_000;

export interface GivenServers {
  mysqlUrl: string | null;
  temporalAddress: string | null;
  namespace: string;
}

export async function checkGiven(given: GivenServers): Promise<void> {
  const { mysqlUrl, temporalAddress, namespace } = given;
  await Promise.all([
    mysqlUrl === null ? null : checkMysql(mysqlUrl),
    temporalAddress === null ? null : checkTemporal(temporalAddress, namespace),
  ]);
}

async function checkMysql(url: string): Promise<void> {
  try {
    const connection = await createConnection({ uri: url, connectTimeout: LIMIT_MS });
    connection.destroy();
  } catch (error) {
    // With its user and password it is nothing to show.
    const { host } = new URL(url);
    throw unusable('store_unavailable', 'MYSQL_URL', host, error);
  }
}

async function checkTemporal(temporalAddress: string, namespace: string): Promise<void> {
  const connection = connectLazily({ temporalAddress });
  const deadline = Date.now() + LIMIT_MS;
  try {
    for (;;) {
      try {
        await probe(connection, namespace);
        return;
      } catch (error) {
        // One probe has a second, and a server that is far away or busy may need more.
        if (Date.now() >= deadline || !isSilence(error)) {
          throw unusable('temporal_unavailable', 'TEMPORAL_ADDRESS', temporalAddress, error);
        }
      }
    }
  } finally {
    await connection.close();
  }
}

/** gRPC's DEADLINE_EXCEEDED; a refused connection or a missing namespace is an answer. */
const isSilence = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 4;

function unusable(
  code: 'store_unavailable' | 'temporal_unavailable',
  variable: string,
  where: string,
  cause: unknown,
): InorderError {
  const why = reasonOf(cause);
  return new InorderError(
    code,
    `${variable} names a server at ${where} that cannot be used (${why}); ` +
      'start it or mend the variable, or unset it to use a private server.',
    { cause },
  );
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Several addresses of one name were tried; the first tells enough.
  const told = error instanceof AggregateError ? (error.errors[0] as Error) : error;
  const text = 'details' in told && typeof told.details === 'string' ? told.details : told.message;
  // gRPC wraps the reason that tells: "No connection established. Last error: Error: … Resolution note: ".
  const line = /Last error: (?:Error: )?(.*?)\.? Resolution note/.exec(text)?.[1] ?? text.split('\n')[0];
  return line?.slice(0, 200) || told.name;
}
