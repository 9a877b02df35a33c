/**
 * Carries a person's word to effects: to one, or to all that a filter found at one moment. Each of them is carried
 * out or refused by itself; what was done before the command ends, however it ends, is done.
 */
import { inParallel } from '../dispatch/in-parallel.ts';
import { InorderError } from '../errors.ts';
import { actOnEffect, findEffect } from '../operations/act-on-effect.ts';
import type { EffectResult } from '../operations/act-on-effect.ts';
import { listEffects } from '../operations/list-effects.ts';
import type { EffectLine } from '../operations/list-effects.ts';
import { unknownNames } from '../operations/unknown-names.ts';
import { DONE } from '../ordering/persons-order.ts';
import type { EffectAction } from '../ordering/state.ts';
import type { EffectFilter } from '../store/effect-listing.ts';
import type { PersonsRequest } from '../../workflows/messages.ts';
import { confirm } from './confirm.ts';
import { count } from './count.ts';
import { unknownEffect } from './unknown-effect.ts';
import type { JsonOption } from './options.ts';
import { plain, print, printJson, say } from './print.ts';
import { EXIT } from './report.ts';
import { withOrderClient } from './with-order-client.ts';

type Word = PersonsRequest & { action: EffectAction };

/** More than a person can mean at once. */
const MOST = 10_000;
const AT_ONCE = 8;

export async function actOnOne(key: string, word: Word, { json }: JsonOption): Promise<void> {
  await withOrderClient(async (deps) => {
    const effect = await findEffect(deps.db, key);
    if (effect === null) throw await unknownEffect(deps.db, key);
    const result = await actOnEffect(deps, effect, word);
    if (result.refused !== null) process.exitCode = EXIT.failed;
    if (json) return printJson(result);
    printResult(result, effect);
  });
}

export async function actOnFound(
  filter: Omit<EffectFilter, 'limit'>,
  word: Word,
  { json = false, yes = false }: JsonOption & { yes?: boolean },
): Promise<void> {
  await withOrderClient(async (deps) => {
    const { items, hasMore } = await listEffects(deps.db, { ...filter, limit: MOST });
    if (items.length === 0) {
      const unknown = await unknownNames(deps.db, 'effects', filter);
      for (const sentence of unknown.length > 0 ? unknown : ['No effects match; nothing was done.'])
        say(sentence);
      process.exitCode = EXIT.nothing;
      return;
    }
    if (hasMore)
      throw new InorderError(
        'usage',
        `More than ${MOST} effects match; nothing was done. Narrow the filter.`,
      );
    if (!(await confirm(`${summaryOf(items)} would be ${DONE[word.action]}.`, { yes }))) return;

    let done = 0;
    let refused = 0;
    let failure: InorderError | null = null;
    await inParallel(items, AT_ONCE, async (effect) => {
      // Without Temporal or a worker each of them would wait as long, and end as this one did.
      if (failure !== null) return;
      try {
        const result = await actOnEffect(deps, effect, word);
        if (result.refused === null) done += 1;
        else refused += 1;
        if (json) printJson(result);
        else printResult(result, effect);
      } catch (error) {
        failure = InorderError.from(error);
      }
    });
    const left = items.length - done - refused;
    say(
      `${done} ${DONE[word.action]}, ${refused} refused${left === 0 ? '' : `, ${left} not tried or not answered`}.`,
    );
    if (refused + left > 0) process.exitCode = EXIT.failed;
    if (failure !== null) throw failure as InorderError;
  });
}

function printResult({ action, refused, status }: EffectResult, effect: EffectLine): void {
  const name = `${effect.name} of ${effect.machine}/${effect.environment}/${effect.order}`;
  if (refused === null)
    return print(plain(`${name}: ${DONE[action]}; the order is ${status}  ${effect.key}`));
  say(plain(`${name}: refused, nothing changed: ${refused}.  ${effect.key}`));
}

/** `12 effects of 11 orders (fulfil 10, bookRefund 2)` */
function summaryOf(items: readonly EffectLine[]): string {
  const orders = new Set(
    items.map(({ machine, environment, order }) => `${machine}/${environment}/${order}`),
  );
  const byName = new Map<string, number>();
  for (const { name } of items) byName.set(name, (byName.get(name) ?? 0) + 1);
  const names = [...byName].map(([name, total]) => `${name} ${total}`).join(', ');
  return `${count(items.length, 'effect')} of ${count(orders.size, 'order')} (${names})`;
}
