import type { Command } from 'commander';
import { examples } from '../examples.ts';
import { choice, withJson } from '../options.ts';
import type { JsonOption } from '../options.ts';
import type { UtcOption } from '../time.ts';

interface ShowOptions extends JsonOption, UtcOption {
  by: 'received' | 'version';
}

export function addOrdersShow(orders: Command): void {
  const show = orders
    .command('show <order>')
    .description('Tells the story of one order, named by its id or as machine/environment/id.')
    .addOption(
      choice('--by <received|version>', 'order of the timeline', ['received', 'version'], 'received'),
    )
    .option('--utc', 'times in UTC')
    .action(async (text: string, options: ShowOptions) => {
      const { InorderError } = await import('../../errors.ts');
      const { orderTimeline } = await import('../../operations/order-timeline.ts');
      const { showOrder } = await import('../../operations/show-order.ts');
      const { findOrder } = await import('../find-order.ts');
      const { printOrder } = await import('../print-order.ts');
      const { printJson } = await import('../print.ts');
      const { withStore } = await import('../with-store.ts');
      await withStore(async (store) => {
        const key = await findOrder(store, text);
        const order = await showOrder(store, key);
        if (order === null) throw new InorderError('order_unknown', `The order '${text}' went away.`);
        const timeline = await orderTimeline(store, key, { by: options.by });
        if (options.json) printJson({ ...order, timeline: timeline?.entries ?? [] });
        else printOrder(order, timeline, { ...options, nowMs: Date.now() });
      });
    });
  examples(withJson(show), [
    ['inorder orders show 1042', 'as it was received'],
    ['inorder orders show order/live/1042 --by version', "in the order of its sources' versions"],
  ]);
}
