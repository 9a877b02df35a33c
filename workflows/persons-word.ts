/** A person's requests, each as the decision that the core makes of it. */
import { orderEffect, orderLink } from '../src/ordering/persons-order.ts';
import { reconcile, resolve } from '../src/ordering/resolve.ts';
import type { Decision } from '../src/ordering/state.ts';
import type { EffectWordRequest, LinkRequest, ReconcileRequest, ResolveRequest } from './messages.ts';
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
