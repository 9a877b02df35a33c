import type { Command } from 'commander';
import type { Outcome } from '../../ordering/state.ts';
import { addEventsLink } from './events-link.ts';
import { examples } from '../examples.ts';
import { choice, wholeNumber, withJson } from '../options.ts';
import type { JsonOption } from '../options.ts';
import { parseInstant } from '../time.ts';
import type { UtcOption } from '../time.ts';

const OUTCOMES: (Outcome | 'waiting')[] = [
  'waiting',
  'applied',
  'ignored',
  'stale',
  'superseded',
  'review',
  'archived',
  'foreign',
  'failed',
  'held',
  'unlinked',
];

interface ListOptions extends JsonOption, UtcOption {
  source?: string;
  environment?: string;
  order?: string;
  type?: string;
  outcome?: Outcome | 'waiting';
  since?: number;
  until?: number;
  limit: number;
}

export function addEvents(program: Command): void {
  const events = program
    .command('events')
    .description('Shows events: what came, and what became of it. Gives those without an order to one.');

  const show = events
    .command('show <event>')
    .description("Shows one event with its deliveries, named by the provider's id or as source/id.")
    .option('--utc', 'times in UTC')
    .action(async (text: string, options: JsonOption & UtcOption) => {
      const { findEvent } = await import('../find-event.ts');
      const { printEvent } = await import('../print-event.ts');
      const { printJson } = await import('../print.ts');
      const { withStore } = await import('../with-store.ts');
      const event = await withStore((store) => findEvent(store, text));
      if (options.json) printJson(event);
      else printEvent(event, options);
    });
  examples(withJson(show), [
    ['inorder events show evt_000042', 'what it said and what became of it'],
    ['inorder events show shop/evt_000042 --json', 'where two sources use the same id'],
  ]);

  const list = events
    .command('list')
    .description('Lists events, the latest received first.')
    .option('--source <name>', 'from this source')
    .option('--environment <name>', 'of this environment')
    .option('--order <id>', 'of this order')
    .option('--type <type>', 'of this neutral type')
    .addOption(choice('--outcome <outcome>', 'with this outcome; waiting: not judged yet', OUTCOMES))
    .option('--since <when>', "received since ('15m' ago, or an instant)", parseInstant)
    .option('--until <when>', 'received before', parseInstant)
    .option('--limit <n>', 'at most so many', wholeNumber(1, 10_000), 50)
    .option('--utc', 'times in UTC')
    .action(async (options: ListOptions) => {
      const { listEvents } = await import('../../operations/list-events.ts');
      const { printList } = await import('../print-list.ts');
      const { withStore } = await import('../with-store.ts');
      const { formatInstant, zoneName } = await import('../time.ts');
      const { reasonInWords } = await import('../words.ts');
      const { unknownNames } = await import('../../operations/unknown-names.ts');
      const { json, utc = false, since, until, ...equal } = options;
      const filter = {
        ...equal,
        ...(since === undefined ? {} : { receivedFromMs: since }),
        ...(until === undefined ? {} : { receivedUntilMs: until }),
      };
      const { found, unknown } = await withStore(async (store) => {
        const listed = await listEvents(store, filter);
        const names = listed.items.length > 0 ? [] : await unknownNames(store, 'events', filter);
        return { found: listed, unknown: names };
      });
      printList(
        found,
        { json, limit: filter.limit, what: 'events', unknown },
        [
          `received (${zoneName({ utc })})`,
          'source',
          'event',
          'order',
          'object',
          'version',
          'type',
          'outcome',
          'why',
        ],
        (event) => [
          formatInstant(event.receivedAt, { utc }),
          event.source,
          event.event,
          event.order ?? '',
          event.object,
          event.version ?? '',
          event.type ?? event.providerType,
          event.outcome ?? 'waiting',
          reasonInWords(event.reason ?? ''),
        ],
      );
    });
  examples(withJson(list, 'one JSON line each'), [
    ['inorder events list --order 1042', 'all of an order'],
    ['inorder events list --outcome held --since 1h', 'what waits'],
  ]);
  addEventsLink(events);
}
