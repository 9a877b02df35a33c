/**
 * One order, from its first webhook to its last: the loop that decides. One run at a time per order, one decision
 * at a time per run (R28).
 *
 * W1  State and handlers are set before anything is awaited; `deliver` only pushes to an array and cannot throw.
 * W2  The workflow goes on with what `apply` stored and returned, never with what it computed: a changed rule must
 *     not change what an old history did. Which commands are issued depends on returned values alone.
 * W3  Handlers of updates only enqueue; the loop alone decides.
 * W4  Nothing here has a retry policy over the whole: a failed apply waits on a timer and is tried again.
 */
import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import {
  DELIVER_SIGNAL,
  EFFECT_UPDATE,
  LINK_UPDATE,
  RECONCILE_UPDATE,
  RESOLVE_UPDATE,
  STATE_QUERY,
} from './messages.ts';
import type {
  DeliverSignal,
  EffectWordRequest,
  LinkRequest,
  OrderInput,
  ReconcileRequest,
  ResolveRequest,
  UpdateResult,
} from './messages.ts';
import { OrderRun } from './order-run.ts';
import type { OrderView } from './order-run.ts';
import { refuseNameless, refuseUnclearEffect, refuseUnclearLink } from './persons-word.ts';

export const deliver = defineSignal<[DeliverSignal]>(DELIVER_SIGNAL);
export const reconcile = defineUpdate<UpdateResult, [ReconcileRequest]>(RECONCILE_UPDATE);
export const resolve = defineUpdate<UpdateResult, [ResolveRequest]>(RESOLVE_UPDATE);
export const effect = defineUpdate<UpdateResult, [EffectWordRequest]>(EFFECT_UPDATE);
export const link = defineUpdate<UpdateResult, [LinkRequest]>(LINK_UPDATE);
export const state = defineQuery<OrderView>(STATE_QUERY);

/** Ends when the order has been quiet for long with nothing open; a late event starts a new run, which loads. */
export async function order(input: OrderInput): Promise<void> {
  const run = new OrderRun(input);
  setHandler(deliver, (signal) => run.deliver(signal), {
    description: 'Events of this order; an empty list only wakes it.',
  });
  setHandler(state, () => run.view(), { description: 'What the order knows: status, streams, what waits.' });
  setHandler(reconcile, (request) => run.ask({ kind: 'reconcile', request }), {
    validator: refuseNameless,
    description: 'Ask the provider now.',
  });
  setHandler(resolve, (request) => run.ask({ kind: 'resolve', request }), {
    validator: refuseNameless,
    description: "A person's word on what waits for one.",
  });
  setHandler(effect, (request) => run.ask({ kind: 'effect', request }), {
    validator: refuseUnclearEffect,
    description: "A person's word on an effect: retry, confirm or skip.",
  });
  setHandler(link, (request) => run.ask({ kind: 'link', request }), {
    validator: refuseUnclearLink,
    description: 'Gives an event without an order to this one.',
  });

  await run.start();
  for (;;) {
    await condition(() => run.hasWork() || (run.isHandingOver() && run.isIdle()));
    await run.work();
    if (run.mayClose()) return;
    if (workflowInfo().continueAsNewSuggested) run.handOver();
    // No await between this check and the end: what arrives until now is carried along.
    if (run.isHandingOver() && run.isIdle() && allHandlersFinished())
      return continueAsNew<typeof order>(run.carried());
  }
}
