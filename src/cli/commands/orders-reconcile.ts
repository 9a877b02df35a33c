import type { Command } from 'commander';
import { examples } from '../examples.ts';
import { withJson, withPerson } from '../options.ts';
import type { JsonOption, PersonOption } from '../options.ts';

interface ReconcileOptions extends JsonOption, PersonOption {
  stream?: string;
}

export function addOrdersReconcile(orders: Command): void {
  const command = orders
    .command('reconcile <order>')
    .description('Asks the provider now what is true of an order; what it answers is applied as ever.')
    .option('--stream <stream>', 'ask about this one only, as source/object (default: all that can be asked)')
    .action(async (text: string, options: ReconcileOptions) => {
      const { reconcileOrder } = await import('../../operations/reconcile-order.ts');
      const { findOrder } = await import('../find-order.ts');
      const { personOf } = await import('../person.ts');
      const { printUpdate } = await import('../print-update.ts');
      const { withOrderClient } = await import('../with-order-client.ts');
      const request = { stream: options.stream ?? null, ...personOf(options) };
      await withOrderClient(async (deps) => {
        const key = await findOrder(deps.db, text);
        printUpdate(await reconcileOrder(deps, key, request), key, options);
      });
    });
  examples(withJson(withPerson(command), 'print the result as JSON'), [
    ["inorder orders reconcile 1042 --reason 'the customer called'", 'all of its streams'],
    ["inorder orders reconcile 1042 --stream pay/payment:p7 --reason 'no answer yet'", 'one of them'],
  ]);
}
