import type { Command } from 'commander';
import { InorderError } from '../../errors.ts';
import { examples } from '../examples.ts';
import { withJson, withPerson } from '../options.ts';
import type { JsonOption, PersonOption } from '../options.ts';

interface LinkOptions extends JsonOption, PersonOption {
  order: string;
  source?: string;
  new?: boolean;
}

export function addEventsLink(events: Command): void {
  const command = events
    .command('link <event>')
    .description('Gives an event without an order, and all objects it names, to an order; it is judged next.')
    .requiredOption('--order <id>', "the order's id, or machine/environment/id")
    .option('--source <name>', 'whose event it is, where several sources use the same id')
    .option('--new', 'the order may be one that nothing is known of yet')
    .action(async (text: string, options: LinkOptions) => {
      const { linkEvent } = await import('../../operations/link-event.ts');
      const { findEvent } = await import('../find-event.ts');
      const { personOf } = await import('../person.ts');
      const { printUpdate } = await import('../print-update.ts');
      const { withOrderClient } = await import('../with-order-client.ts');
      const person = personOf(options);
      await withOrderClient(async (deps) => {
        const event = await findEvent(
          deps.db,
          options.source === undefined ? text : `${options.source}/${text}`,
        );
        const order = keyOf(options.order, event);
        const word = { ...person, seq: event.seq, order, isNew: options.new === true };
        printUpdate(await linkEvent(deps, word), order, options);
      });
    });
  examples(withJson(withPerson(command), 'print the result as JSON'), [
    ["inorder events link evt_7 --order 1042 --reason 'the customer named it'", 'where one source has it'],
    ["inorder events link evt_7 --source stripe --order 1042 --reason 'paid by phone'", 'where several have'],
    ['inorder events list --outcome unlinked', 'what waits for its order'],
  ]);
}

/** Machine and environment are the event's: its source feeds no other. */
function keyOf(text: string, { machine, environment }: { machine: string; environment: string }) {
  const prefix = `${machine}/${environment}/`;
  const id = text.startsWith(prefix) ? text.slice(prefix.length) : text;
  if (id === '') throw new InorderError('usage', 'The order has no id.');
  return { machine, environment, id };
}
