/** What a run of chaos came to: one JSON object, and a page for a person. */
import { count } from '../../cli/count.ts';
import type { ChaosOutcome } from './play.ts';

/** Nothing lost, wrong, doubled or missing. */
export const isRight = ({ lost, wrong, doubled, missing }: ChaosOutcome): boolean =>
  lost.length + wrong.length + doubled.length + missing.length === 0;

export function toJson(outcome: ChaosOutcome): Record<string, unknown> {
  const { run, faults, accepted, lost, orders, wrong, effects, doubled, missing } = outcome;
  return {
    seed: run.seed,
    minutes: run.minutes,
    faults: faults.count,
    accepted,
    lost: lost.length,
    orders,
    wrong: wrong.length,
    effects,
    doubled: doubled.length,
    missing: missing.length,
    inDoubt: outcome.inDoubt.length,
    repeats: outcome.repeats,
  };
}

const MAX_SHOWN = 10;

export function describe(outcome: ChaosOutcome): string[] {
  const { run, faults, settled } = outcome;
  const events = Object.entries(outcome.events)
    .sort(([, a], [, b]) => b - a)
    .map(([name, total]) => `${total} ${name}`)
    .join(', ');
  return [
    `Seed ${run.seed}, ${run.minutes} min, ${count(faults.count, 'fault')}:`,
    `  answered 2xx   ${String(outcome.accepted).padStart(6)}   lost ${outcome.lost.length}`,
    `  orders         ${String(outcome.orders).padStart(6)}   wrong ${outcome.wrong.length}, in doubt ${outcome.inDoubt.length}`,
    `  effects        ${String(outcome.effects).padStart(6)}   doubled ${outcome.doubled.length}, missing ${outcome.missing.length}`,
    '',
    `Sent: ${count(outcome.sent, 'webhook')} and ${count(outcome.retries, 'more attempt')}, then all of them again.`,
    `Decided: ${events}; the providers were asked ${count(outcome.asked, 'time')}.`,
    `Effects: ${count(outcome.repeats, 'call')} came again under a key that was done, and nothing was done twice for it.`,
    settled.isStuck
      ? 'After the last fault nothing moved any more, and not everything was at its end.'
      : `Everything was at its end ${settled.afterSeconds} s after the last fault.`,
    ...faults.impossible.map((why) => `Not done here: ${why}`),
    ...listed('Lost', outcome.lost),
    ...listed('Wrong', outcome.wrong),
    ...listed('Doubled', outcome.doubled),
    ...listed('Missing', outcome.missing),
    ...listed('In doubt, and a person is told', outcome.inDoubt),
  ];
}

function listed(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length > MAX_SHOWN ? [`  … and ${lines.length - MAX_SHOWN} more`] : [];
  return ['', `${title}:`, ...lines.slice(0, MAX_SHOWN).map((line) => `  ${line}`), ...more];
}
