import { Option } from 'commander';
import type { Command } from 'commander';
import type { ResolveRequest } from '../../../workflows/messages.ts';
import { InorderError } from '../../errors.ts';
import { examples } from '../examples.ts';
import { withJson, withPerson } from '../options.ts';
import type { JsonOption, PersonOption } from '../options.ts';

interface ResolveOptions extends JsonOption, PersonOption {
  stream?: string;
  event?: string;
  apply?: string;
  ignore?: boolean;
  rebase?: boolean;
}

export function addOrdersResolve(orders: Command): void {
  const command = orders
    .command('resolve <order>')
    .description("Takes a person's decision about what waits for one; the table must allow it.")
    .option('--stream <stream>', 'where it waits, as source/object (default: what is about the order itself)')
    .option('--event <id>', 'the event that is meant (default: the answer, or the only event that waits)')
    .addOption(
      new Option('--apply <status>', 'enter this status, with its effects').conflicts(['ignore', 'rebase']),
    )
    .addOption(new Option('--ignore', 'settle it without a change').conflicts(['apply', 'rebase']))
    .addOption(
      new Option('--rebase', "the stream goes on from this event's version").conflicts(['apply', 'ignore']),
    )
    .action(async (text: string, options: ResolveOptions) => {
      const { resolveOrder } = await import('../../operations/resolve-order.ts');
      const { findOrder } = await import('../find-order.ts');
      const { personOf } = await import('../person.ts');
      const { printUpdate } = await import('../print-update.ts');
      const { withOrderClient } = await import('../with-order-client.ts');
      const resolution = resolutionOf(options);
      const word = {
        stream: options.stream ?? null,
        event: options.event ?? null,
        resolution,
        ...personOf(options),
      };
      await withOrderClient(async (deps) => {
        const key = await findOrder(deps.db, text);
        printUpdate(await resolveOrder(deps, key, word), key, options);
      });
    });
  examples(withJson(withPerson(command), 'print the result as JSON'), [
    ["inorder orders resolve 1042 --stream pay/payment:p7 --apply paid --reason 'seen'", 'moves the order'],
    ["inorder orders resolve 1042 --stream pay/payment:p7 --ignore --reason 'a test'", 'leaves it'],
    ['inorder orders show 1042', 'what waits, with the command for each'],
  ]);
}

function resolutionOf({ apply, ignore, rebase }: ResolveOptions): ResolveRequest['resolution'] {
  if (apply !== undefined) return { kind: 'apply', status: apply };
  if (ignore === true) return { kind: 'ignore' };
  if (rebase === true) return { kind: 'rebase' };
  throw new InorderError('usage', 'Say what becomes of it: --apply <status>, --ignore or --rebase.');
}
