/** The whole system, and what a test of the order's workflow looks at beside what its orders are. */
import { expect } from 'vitest';
import type { WorkflowHandle } from '@temporalio/client';
import type { SandboxEvent } from '../../../src/dev/sandbox/world.ts';
import { providerOf } from '../../../src/dev/sandbox/world.ts';
import { connectLazily } from '../../../src/temporal/connection.ts';
import { RequestIdClient } from '../../../src/temporal/request-id-client.ts';
import { workflowIdOf } from '../../../src/temporal/workflow-id.ts';
import { RESOLVE_UPDATE } from '../../../workflows/messages.ts';
import type { ResolveRequest, UpdateResult } from '../../../workflows/messages.ts';
import { startSystem } from '../processes/system.ts';
import type { SystemOptions } from '../processes/system.ts';

export async function startOrderSystem(options: SystemOptions = {}) {
  const system = await startSystem({ redeliverAfterMs: 1_000, ...options });
  const { store, environment, orderOf } = system;
  const connection = connectLazily(environment);
  system.defer(() => connection.close());
  const client = new RequestIdClient({ connection, namespace: environment.temporalNamespace });
  const idOf = (order: string) => workflowIdOf({ machine: 'order', environment: 'demo', id: order });
  const handleOf = (order: string): WorkflowHandle => client.getHandle(idOf(order));

  const eventOf = async (order: string, event: string) => {
    const [row] = await store.query<{ seq: string; outcome: string | null; reason: string | null }>(
      'SELECT seq, outcome, reason FROM events WHERE order_id = ? AND event_id = ?',
      [order, event],
    );
    return row ?? null;
  };
  const untilOutcome = (order: string, event: string, outcome: string) =>
    expect
      .poll(async () => (await eventOf(order, event))?.outcome, { timeout: 20_000, interval: 50 })
      .toBe(outcome);

  return {
    ...{ ...system, client, idOf, handleOf, eventOf, untilOutcome },
    untilClosed: (order: string) =>
      expect
        .poll(async () => (await handleOf(order).describe()).status.name, { timeout: 20_000, interval: 100 })
        .toBe('COMPLETED'),
    async resolve(
      order: string,
      event: SandboxEvent,
      resolution: ResolveRequest['resolution'],
      more: Partial<ResolveRequest> = {},
    ): Promise<UpdateResult> {
      const source = providerOf(event.object);
      const row = await eventOf(order, event.id);
      const request: ResolveRequest = {
        actor: 'ada',
        reason: 'looked at it',
        revision: (await orderOf(order))?.revision ?? 0,
        stream: `${source}/${event.object}`,
        event: { seq: String(row?.seq), source, event: event.id },
        resolution,
        ...more,
      };
      return await handleOf(order).executeUpdate<UpdateResult, [ResolveRequest]>(RESOLVE_UPDATE, {
        args: [request],
      });
    },
    journalOf: (order: string) =>
      store.query<{ kind: string; reason: string | null }>(
        'SELECT j.kind, j.reason FROM journal j WHERE j.order_id = ? ORDER BY j.id',
        [order],
      ),
  };
}

export type OrderSystem = Awaited<ReturnType<typeof startOrderSystem>>;
