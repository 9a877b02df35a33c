/**
 * The worker's connection: the SDK's native one, made only when the server answers for our namespace and knows our
 * search attributes. (Apart from `connection.ts`, so that a receiver does not load the native library.)
 */
import { NativeConnection } from '@temporalio/worker';
import type { Log } from '../log.ts';
import { probe } from './connection.ts';
import type { TemporalAddress } from './connection.ts';
import type { Reachability } from './reachability.ts';
import { ensureSearchAttributes } from './search-attributes.ts';

export async function connectForWork(
  { temporalAddress }: TemporalAddress,
  namespace: string,
): Promise<NativeConnection> {
  const native = await NativeConnection.connect({ address: temporalAddress });
  try {
    await probe(native, namespace);
    await ensureSearchAttributes(native, namespace);
    return native;
  } catch (error) {
    await native.close();
    throw error;
  }
}

/** A server that was away may have come back empty, and a workflow that sets an unknown attribute is stuck. */
export function keepSearchAttributes(
  reachability: Reachability,
  connection: NativeConnection,
  namespace: string,
  log: Pick<Log, 'warn' | 'error'>,
): void {
  reachability.onChange(({ reachable }) => {
    if (!reachable) return;
    ensureSearchAttributes(connection, namespace).then(
      ({ added }) => {
        if (added.length > 0)
          log.warn({}, 'Temporal came back without our search attributes: it lost its data');
      },
      (error: unknown) => log.error({ error }, 'search attributes could not be registered again'),
    );
  });
}
