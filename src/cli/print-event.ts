/** An event for a person: what it said, what became of it, how often it came. */
import type { EventView } from '../operations/show-event.ts';
import { count } from './count.ts';
import { colours, plain, print, printTable } from './print.ts';
import { formatInstant } from './time.ts';
import type { UtcOption } from './time.ts';
import { reasonInWords } from './words.ts';

export function printEvent(event: EventView, options: UtcOption): void {
  const at = (instant: string | null): string | null =>
    instant === null ? null : formatInstant(instant, options);
  print(
    `${colours.bold(plain(event.event))}  ${plain(event.source)}, ${plain(event.type ?? event.providerType)}`,
  );
  const move =
    event.from === null || event.to === null || event.from === event.to
      ? ''
      : `: ${event.from} → ${event.to}`;
  print(
    `  ${colours.bold(event.outcome ?? 'waiting')}${move}${event.reason === null ? '' : ` (${plain(reasonInWords(event.reason))})`}\n`,
  );
  if (event.outcome === 'unlinked')
    print(
      `  ${plain(`inorder events link ${event.event} --source ${event.source} --order … --reason '…'`)}  gives it to an order\n`,
    );
  const first = event.deliveries[0];
  const lines: [string, string | number | null][] = [
    ['order', event.order === null ? null : `${event.machine}/${event.environment}/${event.order}`],
    ['object', event.object],
    ['payment', event.payment],
    ['version', event.version],
    ["provider's type", event.providerType],
    ['claimed', event.claimedAt],
    ['received', at(event.receivedAt)],
    ['taken', at(event.takenAt)],
    ['settled', at(event.settledAt)],
    ['mode', event.mode],
    ['account', event.account],
    ['facts', factsText(event.facts)],
    ['names', event.refs.join(', ')],
    ['conflict of', event.conflictOf === null ? null : `the event stored as number ${event.conflictOf}`],
    event.secretId === null
      ? ['found', `in the provider's list, adapter version ${event.adapterVersion}`]
      : ['confirmed by', `secret ${event.secretId}, adapter version ${event.adapterVersion}`],
    ['worker', event.worker],
    [
      'woken',
      event.attempts === 0
        ? null
        : `${count(event.attempts, 'time')}, last ${at(event.lastAttemptAt) ?? '–'}`,
    ],
    ['error', event.error],
    ['body', `SHA-256 ${first?.fingerprint ?? '–'}`],
  ];
  const shown = lines.filter(([, value]) => value !== null && value !== '');
  const width = Math.max(...shown.map(([name]) => name.length));
  for (const [name, value] of shown) print(`  ${colours.dim(name.padEnd(width))}  ${plain(String(value))}`);
  print('\nDeliveries');
  printTable(
    ['received', 'delivery', 'secret', 'body'],
    event.deliveries.map((delivery) => [
      formatInstant(delivery.receivedAt, options),
      delivery.deliveryId ?? '',
      delivery.secretId ?? '(listed)',
      delivery.fingerprint === first?.fingerprint ? 'the same' : 'other bytes',
    ]),
  );
}

const factsText = (facts: Record<string, string>): string =>
  Object.entries(facts)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
