import type { Command } from 'commander';
import { examples } from '../examples.ts';
import { choice, wholeNumber, withJson } from '../options.ts';
import type { JsonOption } from '../options.ts';
import type { UtcOption } from '../time.ts';

interface ListOptions extends JsonOption, UtcOption {
  machine?: string;
  environment?: string;
  status?: string;
  attention?: 'any' | 'gap' | 'review' | 'effect' | 'reconcile' | 'conflict';
  limit: number;
}

export function addOrdersList(orders: Command): void {
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
