/**
 * Dispatch on the real servers without a worker: what was signalled is read from the workflows' histories, and
 * nothing is ever taken, as when every worker is down.
 */
import type { Signalled } from './signals.ts';
import { readSignals } from './signals.ts';
import { createDeliver } from '../../../src/dispatch/deliver.ts';
import type { Chore } from '../../../src/dispatch/chore.ts';
import { createSweeper } from '../../../src/dispatch/sweeper.ts';
import { GroupCommit } from '../../../src/receiver/group-commit.ts';
import { claimUntaken, giveBackUntaken } from '../../../src/store/event-claims.ts';
import { createUnlinkedJoiner } from '../../../src/store/links.ts';
import { claimDue, giveBackDue } from '../../../src/store/orders.ts';
import type { NewEvent } from '../../../src/store/events.ts';
import type { Stored } from '../../../src/receiver/store-group.ts';
import { connectLazily, probe } from '../../../src/temporal/connection.ts';
import { Reachability } from '../../../src/temporal/reachability.ts';
import { RequestIdClient } from '../../../src/temporal/request-id-client.ts';
import { recordingLog } from '../../unit/dispatch/order-events.ts';
import { POLICY } from '../../unit/dispatch/policy.ts';
import { migratedStore } from '../store/migrated-store.ts';

export async function dispatchWorld(options: { temporalAddress?: string } = {}) {
  const { store, world } = await migratedStore();
  const { namespace, taskQueue, defer } = world;
  const temporalAddress = options.temporalAddress ?? world.temporalAddress;
  const connection = connectLazily({ temporalAddress });
  defer(() => connection.close());
  const client = new RequestIdClient({ connection, namespace });
  const warnings: string[] = [];
  const log = recordingLog(warnings);
  const reachability = new Reachability({ probe: () => probe(connection, namespace), log });
  defer(() => reachability.stop());
  const deliver = createDeliver({ client, taskQueue, policiesOf: () => ({ shop: POLICY }) });
  const groupCommit = new GroupCommit(store);
  defer(() => groupCommit.stop());

  const sweeperWith = (redeliverAfterMs: number): Chore =>
    createSweeper({
      untaken: {
        claim: (query) => claimUntaken(store, query),
        giveBack: (events) => giveBackUntaken(store, events),
      },
      due: { claim: (query) => claimDue(store, query), giveBack: (keys) => giveBackDue(store, keys) },
      joinLinks: createUnlinkedJoiner(store),
      deliver,
      reachability,
      log,
      redeliverAfterMs,
    });
  return {
    store,
    defer,
    deliver,
    reachability,
    warnings,
    sweeperWith,
    storeEvents: (events: NewEvent[]): Promise<Stored[]> => groupCommit.add(events),
    signalsOf: (order: string): Promise<Signalled[]> => readSignals(client, order),
  };
}
