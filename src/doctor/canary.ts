/**
 * A signed event through a source of its own, from its delivery to the decision about it, with the time it took.
 *
 * With INORDER_CANARY_SECRET it goes the whole way, through the receiver that providers send to. Without, no receiver
 * takes it, and a door of our own stands in for one: database, Temporal and workers are the real ones all the same.
 *
 * 1. Its order is new at each call and has no effects (src/config/canary.ts).
 * 2. However it ends, its workflow is ended and its rows are removed.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { WorkflowClient, WorkflowNotFoundError } from '@temporalio/client';
import { CANARY_SOURCE, createCanary, withCanary } from '../config/canary.ts';
import { createLog } from '../log.ts';
import type { OrderKey } from '../ordering/state.ts';
import { startReceiver } from '../processes/receiver.ts';
import { signStandardWebhook } from '../providers/standard-webhooks-signature.ts';
import { enterMachine } from '../store/machines.ts';
import { selectOrder } from '../store/orders.ts';
import { removeOrder } from '../store/remove-order.ts';
import { workflowIdOf } from '../temporal/workflow-id.ts';
import { fail, ok } from './check.ts';
import type { Check, Finding, Patient } from './check.ts';

const LOOK_EVERY_MS = 25;
const TIMEOUT_MS = 10_000;

export const canary: Check = {
  name: 'canary',
  needs: ['environment', 'configuration', 'database', 'tables', 'temporal'],
  async look(patient) {
    const { store, environment } = patient;
    const { source, machine } = createCanary(environment.canarySecret ?? 'none');
    const key = { machine: source.machine, environment: source.environment, id: randomUUID() };
    const door = await openDoor(patient);
    try {
      await enterMachine(store, machine);
      return [await fly(patient, door, key)];
    } finally {
      // What comes too late finds nobody: first whoever may still write, then what is written.
      await door.close();
      await endWorkflow(patient, key);
      await removeOrder(store, key, CANARY_SOURCE);
    }
  },
};

interface Door {
  url: string;
  secret: string;
  /** Whether it is the one that providers use. */
  isReal: boolean;
  close: () => Promise<void>;
}

async function openDoor({ environment, config }: Patient): Promise<Door> {
  const { canarySecret, publicUrl, port } = environment;
  if (canarySecret !== null) {
    return {
      url: publicUrl ?? `http://127.0.0.1:${port}`,
      secret: canarySecret,
      isReal: true,
      close: () => Promise.resolve(),
    };
  }
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const nothing = { ...config, sources: new Map(), machines: new Map() };
  const receiver = await startReceiver(
    withCanary(nothing, secret),
    { ...environment, host: '127.0.0.1', port: 0, operationsHost: '127.0.0.1', operationsPort: 0 },
    { log: createLog('silent', 'receiver') },
  );
  return {
    url: `http://127.0.0.1:${receiver.port}`,
    secret,
    isReal: false,
    close: () => receiver.stop(),
  };
}

async function fly({ store, canaryLimitMs }: Patient, door: Door, key: OrderKey): Promise<Finding> {
  const startedAt = performance.now();
  const since = () => `${Math.round(performance.now() - startedAt)} ms`;
  const status = await deliver(door, key);
  if (status !== 202) return refusedBy(door, status);
  const accepted = since();
  while (performance.now() - startedAt < canaryLimitMs) {
    const order = await selectOrder(store, key);
    if (order?.state.status === 'seen') {
      const through = door.isReal
        ? `through ${door.url}`
        : 'past the receiver (INORDER_CANARY_SECRET is not set)';
      return ok(`accepted after ${accepted}, decided after ${since()}, ${through}`);
    }
    await delay(LOOK_EVERY_MS);
  }
  return fail(
    `a signed event was accepted after ${accepted} and not decided within ${Math.round(canaryLimitMs / 1_000)} s`,
    'see the checks of temporal, search attributes and workers above; their logs say the rest',
  );
}

/** What was answered: a status, or why nothing was. */
async function deliver({ url, secret }: Door, key: OrderKey): Promise<number | string> {
  const body = JSON.stringify({
    id: `canary_${key.id}`,
    type: 'order.created',
    created: new Date().toISOString(),
    order: key.id,
    object: { kind: 'order', id: key.id },
    version: 1,
  });
  const timestampSeconds = Math.floor(Date.now() / 1_000);
  try {
    const response = await fetch(`${url}/webhooks/${CANARY_SOURCE}`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        ...signStandardWebhook(secret, { id: `canary_${key.id}`, timestampSeconds, body }),
      },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } };
    return cause?.code ?? message;
  }
}

function refusedBy(door: Door, status: number | string): Finding {
  const seen = `${door.url}/webhooks/${CANARY_SOURCE} answers ${status}`;
  if (status === 404) return fail(seen, 'start the receivers with INORDER_CANARY_SECRET, or unset it here');
  if (status === 401)
    return fail(seen, 'give receivers and doctor the same INORDER_CANARY_SECRET, and the same time');
  return fail(seen, 'see the checks of database and receivers above; the log of the receiver says the rest');
}

async function endWorkflow({ temporal, environment }: Patient, key: OrderKey): Promise<void> {
  const client = new WorkflowClient({ connection: temporal, namespace: environment.temporalNamespace });
  try {
    await client.getHandle(workflowIdOf(key)).terminate('the canary is back');
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
