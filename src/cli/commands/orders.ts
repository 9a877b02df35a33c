import type { Command } from 'commander';
import { examples } from '../examples.ts';
import { choice, wholeNumber, withJson } from '../options.ts';
import type { JsonOption } from '../options.ts';
import type { UtcOption } from '../time.ts';

interface ShowOptions extends JsonOption, UtcOption {
  by: 'received' | 'version';
}
interface ListOptions extends JsonOption, UtcOption {
  machine?: string;
  environment?: string;
  status?: string;
  attention?: 'any' | 'gap' | 'review' | 'effect' | 'reconcile' | 'conflict';
  limit: number;
}

export function addOrders(program: Command): void {
  const orders = program
    .command('orders')
    .description('Shows orders: their status, what they wait for, their story.');

  const show = orders
    .command('show <order>')
    .description('Tells the story of one order, named by its id or as machine/environment/id.')
    .addOption(choice('--by <order>', 'order of the timeline', ['received', 'version'], 'received'))
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

  const list = orders
    .command('list')
    .description('Lists orders, the latest changed first.')
    .option('--machine <name>', 'of this machine')
    .option('--environment <name>', 'of this environment')
    .option('--status <status>', 'in this status')
    .addOption(
      choice('--attention [kind]', 'that need a person', [
        'any',
        'gap',
        'review',
        'effect',
        'reconcile',
        'conflict',
      ]).preset('any'),
    )
    .option('--limit <n>', 'at most so many', wholeNumber(1, 10_000), 50)
    .option('--utc', 'times in UTC')
    .action(async (options: ListOptions) => {
      const { listOrders } = await import('../../operations/list-orders.ts');
      const { printList } = await import('../print-list.ts');
      const { withStore } = await import('../with-store.ts');
      const { formatInstant } = await import('../time.ts');
      const { json, utc, ...filter } = options;
      const found = await withStore((store) => listOrders(store, filter));
      printList(
        found,
        { json, limit: filter.limit, what: 'orders' },
        ['order', 'status', 'needs', 'changed', 'machine'],
        (order) => [
          order.id,
          order.status,
          [...new Set(order.attention.map(({ kind }) => kind))].join(', '),
          formatInstant(order.updatedAt, { utc: utc ?? false }),
          `${order.machine}/${order.environment}`,
        ],
      );
    });
  examples(withJson(list, 'one JSON line each'), [
    ['inorder orders list --attention', 'what a person has to look at'],
    ['inorder orders list --status paid --json', 'for a script'],
  ]);
}
