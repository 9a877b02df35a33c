import type { Command } from 'commander';
import { examples } from '../examples.ts';
import { withJson } from '../options.ts';
import type { JsonOption } from '../options.ts';
import type { UtcOption } from '../time.ts';

export function addEffectsShow(effects: Command): void {
  const show = effects
    .command('show <key>')
    .description('Shows one effect: how far it is, what asked for it, and what may be done about it.')
    .option('--utc', 'times in UTC')
    .action(async (key: string, options: JsonOption & UtcOption) => {
      const { showEffect } = await import('../../operations/show-effect.ts');
      const { printEffect } = await import('../print-effect.ts');
      const { printJson } = await import('../print.ts');
      const { unknownEffect } = await import('../unknown-effect.ts');
      const { withStore } = await import('../with-store.ts');
      await withStore(async (store) => {
        const effect = await showEffect(store, key);
        if (effect === null) throw await unknownEffect(store, key);
        if (options.json) printJson(effect);
        else printEffect(effect, options);
      });
    });
  examples(withJson(show), [
    ['inorder effects show order/live/1042/fulfil/order', 'with the commands that are possible now'],
    ['inorder effects list --order 1042', "the keys of an order's effects"],
  ]);
}
