/** A person's requests, each as the decision that the core makes of it. */
import { ApplicationFailure } from '@temporalio/workflow';
import { orderEffect, orderLink } from '../src/ordering/persons-order.ts';
import { reconcile, resolve } from '../src/ordering/resolve.ts';
import type { Decision } from '../src/ordering/state.ts';
import type {
  EffectWordRequest,
  LinkRequest,
  PersonsRequest,
  ReconcileRequest,
  ResolveRequest,
} from './messages.ts';
import type { StoredOrder } from './stored-order.ts';

export type PersonsCommand =
  | { kind: 'reconcile'; request: ReconcileRequest }
  | { kind: 'resolve'; request: ResolveRequest }
  | { kind: 'effect'; request: EffectWordRequest }
  | { kind: 'link'; request: LinkRequest };

/** The decision, or in words why the person's word cannot be taken. */
export function decideByPerson(
  { machine, state }: StoredOrder,
  command: PersonsCommand,
  now: number,
): Decision | { refused: string } {
  const by = `${command.request.actor}: ${command.request.reason}`;
  switch (command.kind) {
    case 'reconcile':
      return reconcile(machine, state, { stream: command.request.stream, by }, now);
    case 'resolve': {
      const { stream, event, resolution } = command.request;
      return resolve(machine, state, { stream, event, by, as: resolution }, now);
    }
    case 'effect': {
      const { key, action, seen = null } = command.request;
      return orderEffect(machine, state, { key, action, seen, by }, now);
    }
    case 'link': {
      const { event, stream } = command.request;
      return orderLink(machine, state, { event, stream, by }, now);
    }
  }
}

/**
 * Validators of the updates: whoever writes one by hand is told at once what is wrong with it. What got through and
 * could not be carried out would be tried again forever, and hold the order up.
 */
export function refuseNameless(request: PersonsRequest): void {
  if (!request.actor || !request.reason) throw unusable('Say who asks (actor) and why (reason).');
}

const ACTIONS: readonly string[] = ['retry', 'confirm', 'skip'];

export function refuseUnclearEffect(request: EffectWordRequest): void {
  refuseNameless(request);
  if (typeof request.key !== 'string' || !ACTIONS.includes(request.action))
    throw unusable(`Say which effect (key), and what becomes of it (action: ${ACTIONS.join(', ')}).`);
}

export function refuseUnclearLink(request: LinkRequest): void {
  refuseNameless(request);
  const { event, stream } = request;
  const isNamed = /^\d{1,20}$/.test(event?.seq) && Boolean(event.source) && Boolean(event.event);
  if (!isNamed || typeof stream !== 'string')
    throw unusable('Say which event (event: seq, source, event) and of which stream.');
}

const unusable = (what: string): ApplicationFailure => ApplicationFailure.nonRetryable(what, 'usage');
