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
      const { formatInstant, zoneName } = await import('../time.ts');
      const { unknownNames } = await import('../../operations/unknown-names.ts');
      const { json, utc = false, ...filter } = options;
      const { found, unknown } = await withStore(async (store) => {
        const orders = await listOrders(store, filter);
        const names = orders.items.length > 0 ? [] : await unknownNames(store, 'orders', filter);
        return { found: orders, unknown: names };
      });
      printList(
        found,
        { json, limit: filter.limit, what: 'orders', unknown },
        ['order', 'status', 'needs', `changed (${zoneName({ utc })})`],
        (order) => [
          `${order.machine}/${order.environment}/${order.id}`,
          order.status,
          [...new Set(order.attention.map(({ kind }) => kind))].join(', '),
          formatInstant(order.updatedAt, { utc }),
        ],
      );
    });
  examples(withJson(list, 'one JSON line each'), [
    ['inorder orders list --attention', 'what a person has to look at'],
    ['inorder orders list --status paid --json', 'for a script'],
  ]);
}
