/** retry, confirm and skip: one effect by its key, or all that a filter finds, after they were counted. */
import type { Command } from 'commander';
import type { EffectState } from '../../effects/row.ts';
import { STATES_OF } from '../../effects/judge-person.ts';
import { InorderError } from '../../errors.ts';
import type { EffectAction } from '../../ordering/state.ts';
import { filterOf, withEffectFilter } from '../effect-filter.ts';
import type { EffectFilterOptions } from '../effect-filter.ts';
import { examples } from '../examples.ts';
import { withJson, withPerson } from '../options.ts';
import type { JsonOption, PersonOption } from '../options.ts';

interface VerbOptions extends EffectFilterOptions, JsonOption, PersonOption {
  yes?: boolean;
}

const KEY = 'order/live/1042/fulfil/order';
const VERBS: Record<EffectAction, { says: string; examples: [string, string][] }> = {
  retry: {
    says: 'Runs effects again under the same key and body; of an uncertain one you say that it was not done.',
    examples: [
      [`inorder effects retry ${KEY} --reason 'the shop is up again'`, 'one of them'],
      ["inorder effects retry --state failed --name fulfil --reason 'the shop is up again'", 'all of these'],
      ["inorder effects retry --state failed --older-than 1h --yes --reason 'nightly'", 'in a script'],
    ],
  },
  confirm: {
    says: 'Says that effects were done: they count as done and are never run again.',
    examples: [
      [`inorder effects confirm ${KEY} --reason 'seen in the shop'`, 'one of them'],
      ["inorder effects confirm --state uncertain --name fulfil --reason 'seen in the shop'", 'all of these'],
    ],
  },
  skip: {
    says: 'Drops effects that were not done and are not to be done; of an uncertain one you say that it was not.',
    examples: [
      [`inorder effects skip ${KEY} --reason 'shipped by hand'`, 'one of them'],
      ["inorder effects skip --state failed --order 1042 --reason 'not needed'", 'all of an order'],
    ],
  },
};

export function addEffectsVerbs(effects: Command): void {
  for (const [verb, { says, examples: lines }] of Object.entries(VERBS)) {
    const action = verb as EffectAction;
    const command = withEffectFilter(effects.command(`${verb} [key]`), STATES_OF[action])
      .description(says)
      .option('--yes', 'do it without asking')
      .action(async (key: string | undefined, options: VerbOptions) => {
        const { actOnFound, actOnOne } = await import('../act-on-effects.ts');
        const { personOf } = await import('../person.ts');
        const word = { action, ...personOf(options) };
        const filter = filterOf(options);
        if (key !== undefined) {
          if (Object.keys(filter).length > 0)
            throw new InorderError('usage', 'Name one effect by its key, or filter; not both.');
          return actOnOne(key, word, options);
        }
        if (options.state === undefined) throw new InorderError('usage', whichOnes(STATES_OF[action]));
        return actOnFound(filter, word, options);
      });
    examples(withJson(withPerson(command), 'print each result as a JSON line'), lines);
  }
}

const whichOnes = (states: readonly EffectState[]): string =>
  `Say which: the effect's key, or --state with ${states.join(', ')} and more filters. ` +
  `'inorder effects list --state ${states[0]}' shows keys.`;
