import type { Command } from 'commander';
import { EFFECT_STATES } from '../../effects/row.ts';
import { filterOf, withEffectFilter } from '../effect-filter.ts';
import type { EffectFilterOptions } from '../effect-filter.ts';
import { examples } from '../examples.ts';
import { wholeNumber, withJson } from '../options.ts';
import type { JsonOption } from '../options.ts';
import type { UtcOption } from '../time.ts';

interface ListOptions extends EffectFilterOptions, JsonOption, UtcOption {
  limit: number;
}

export function addEffectsList(effects: Command): void {
  const list = withEffectFilter(effects.command('list'), EFFECT_STATES)
    .description('Lists effects, the latest asked for first.')
    .option('--limit <n>', 'at most so many', wholeNumber(1, 10_000), 50)
    .option('--utc', 'times in UTC')
    .action(async (options: ListOptions) => {
      const { listEffects } = await import('../../operations/list-effects.ts');
      const { unknownNames } = await import('../../operations/unknown-names.ts');
      const { printList } = await import('../print-list.ts');
      const { withStore } = await import('../with-store.ts');
      const { formatInstant, zoneName } = await import('../time.ts');
      const { json, utc = false, limit } = options;
      const filter = filterOf(options);
      const { found, unknown } = await withStore(async (store) => {
        const listed = await listEffects(store, { ...filter, limit });
        if (listed.items.length > 0) return { found: listed, unknown: [] };
        const names = await unknownNames(store, 'effects', filter);
        const hasAny = Object.keys(filter).length > 0;
        return { found: listed, unknown: names.length > 0 || hasAny ? names : [NONE_YET] };
      });
      printList(
        found,
        { json, limit, what: 'effects', unknown },
        ['effect', 'order', 'state', 'attempts', `changed (${zoneName({ utc })})`, 'why', 'key'],
        (effect) => [
          effect.name,
          `${effect.machine}/${effect.environment}/${effect.order}`,
          effect.state,
          String(effect.attempts),
          formatInstant(effect.changedAt, { utc }),
          effect.error ?? '',
          effect.key,
        ],
      );
    });
  examples(withJson(list, 'one JSON line each'), [
    ['inorder effects list --state failed,uncertain', 'what needs a person'],
    ['inorder effects list --state pending --older-than 1h', 'what is late'],
    ['inorder effects list --order 1042 --json', 'of one order, for a script'],
  ]);
}

const NONE_YET =
  "No effects yet. One is asked for when an order enters a status that has it: 'inorder machine draw' shows which.";
