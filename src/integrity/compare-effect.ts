/** One effect against its order's state and journal, and its key against its body. Pure. */
import { effectKey } from '../effects/key.ts';
import type { EffectCause, Facts } from '../ordering/state.ts';
import type { Machine } from '../ordering/machine.ts';
import type { EffectToCompare } from '../store/integrity-orders.ts';
import { BACKUP, nameOfOrder } from './finding.ts';
import type { OrderAccount } from './order-account.ts';

/** A running system tells an order of an effect's end within this time. */
const TOLD_WITHIN_MS = 120_000;

interface Body {
  effect: string;
  order: { machine: string; environment: string; id: string; revision: number };
  cause: EffectCause;
  facts: Facts;
}

/** The journal was folded before. `policies`: every entered version of the order's machine. */
export function compareEffect(
  account: OrderAccount,
  effect: EffectToCompare,
  machines: readonly Machine[],
): void {
  const { effectKey: key, state, revision } = effect;
  const say = (seen: string, fix = BACKUP): void => account.say('effect', seen, fix, key);
  account.wished.delete(key);
  const isTrouble = account.troubles.delete(key);
  if (revision > account.row.revision)
    say(`revision ${revision} asked for it, and its order stands at ${account.row.revision}`);
  if (!machines.some(({ effects }) => effects[effect.name] !== undefined))
    say(`no version of its machine has an effect ${effect.name}`);

  if (state === 'running' && !effect.hasLease) say('an attempt is under way that would never end: no lease');
  if (state !== 'running' && effect.hasLease) say(`it is ${state}, and an attempt of it is under way`);
  if (state !== 'pending' && effect.hasNextAttempt) say(`it is ${state}, and a next attempt is due`);

  const needsPerson = state === 'failed' || state === 'uncertain';
  const isTold = effect.ageMs > TOLD_WITHIN_MS && account.state !== null;
  if (needsPerson && !isTrouble && isTold)
    say(
      `it is ${state}, and its order does not say that it needs a person`,
      'a worker tells its order within minutes; if none does, look at the workers: `inorder doctor`',
    );
  if (!needsPerson && isTrouble && isTold) say(`it is ${state}, and its order says that it needs a person`);
  compareBody(account, effect, machines, say);
}

function compareBody(
  account: OrderAccount,
  effect: EffectToCompare,
  machines: readonly Machine[],
  say: (seen: string) => void,
): void {
  const body = readBody(effect.body);
  if (body === null) return say('its body is none of ours');
  const { order } = body;
  if (body.effect !== effect.name) say(`its body is that of ${body.effect}`);
  if (nameOfOrder(order) !== nameOfOrder(account.row.key)) say(`its body is about ${nameOfOrder(order)}`);
  if (order.revision > effect.revision)
    say(`its body was made in revision ${order.revision}, after it was asked for in ${effect.revision}`);
  const possible = machines.flatMap(({ effects }) => {
    const once = effects[effect.name]?.once;
    return once === undefined ? [] : [countedBy(body, once)];
  });
  // What is counted by news that the body does not repeat cannot be compared.
  if (possible.length === 0 || possible.includes(null)) return;
  if (!possible.some((once) => effectKey(account.row.key, effect.name, once as string) === effect.effectKey))
    say('its key is not the one that follows from its body');
}

function countedBy({ facts }: Body, once: 'order' | 'event' | `facts.${string}`): string | null {
  if (once === 'order') return 'order';
  return once === 'event' ? null : (facts[once.slice('facts.'.length)] ?? null);
}

function readBody(bytes: Buffer): Body | null {
  try {
    const body = JSON.parse(bytes.toString('utf8')) as Partial<Body>;
    const isOurs = typeof body.order?.id === 'string' && body.cause !== undefined && body.facts !== undefined;
    return isOurs ? (body as Body) : null;
  } catch {
    return null;
  }
}
