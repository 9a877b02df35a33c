/** An effect for a person: how far it is, what asked for it, and what may be done about it. */
import type { EffectPage } from '../operations/show-effect.ts';
import { count } from './count.ts';
import { colours, plain, print } from './print.ts';
import { formatInstant } from './time.ts';
import type { UtcOption } from './time.ts';

export function printEffect(effect: EffectPage, options: UtcOption): void {
  const { attempts, cause, error, facts } = effect;
  const order = `${effect.machine}/${effect.environment}/${effect.order}`;
  print(`${colours.bold(plain(effect.name))}  ${plain(order)}`);
  const why = error === null ? '' : `: ${plain(error)}`;
  print(`  ${colours.bold(effect.state)} after ${count(attempts, 'attempt')}${why}`);
  if (effect.mayBeDone && effect.state !== 'done') print('  an attempt of it may have been done');
  for (const command of effect.commands) print(`      ${plain(command)}`);
  const event = cause.event === null ? '' : ` (event ${cause.event})`;
  const lines: [string, string][] = [
    ['key', effect.key],
    [
      'asked for',
      `${formatInstant(effect.askedAt, options)} by ${cause.type} of ${cause.source}/${cause.object}${event}`,
    ],
    ['step', effect.from === effect.to ? effect.to : `${effect.from} → ${effect.to}`],
    [
      'facts',
      Object.entries(facts)
        .map(([name, value]) => `${name}=${value}`)
        .join(' '),
    ],
    ['changed', formatInstant(effect.changedAt, options)],
    ['next attempt', effect.nextAttemptAt === null ? '' : formatInstant(effect.nextAttemptAt, options)],
    ['failures', effect.failures === 0 ? '' : String(effect.failures)],
    ...effect.said.map(({ at, what }): [string, string] => [
      'a person',
      `${formatInstant(at, options)} ${what}`,
    ]),
  ];
  const shown = lines.filter(([, value]) => value !== '');
  const width = Math.max(...shown.map(([name]) => name.length));
  print('');
  for (const [name, value] of shown) print(`  ${colours.dim(name.padEnd(width))}  ${plain(value)}`);
}
