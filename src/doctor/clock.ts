/**
 * Whether clocks agree: signatures are only good for some minutes, timers go by the database's clock, and providers
 * by their own. What an HTTP date says is a second coarse, and an answer takes its time.
 */
import type { Source } from '../config/resolved.ts';
import { formatDuration } from '../ordering/format-duration.ts';
import { selectServerTime } from '../store/settings.ts';
import { fail, ok, warn } from './check.ts';
import type { Check, Finding, Patient } from './check.ts';

const WARN_MS = 5_000;
const FAIL_MS = 60_000;
const TIMEOUT_MS = 4_000;
const SYNCHRONISE = 'let NTP or chrony keep the clocks of this machine and of the servers';

export const clock: Check = {
  name: 'clock',
  needs: ['environment', 'configuration', 'database'],
  async look(patient) {
    const ofDatabase = await measure(patient.now, () => selectServerTime(patient.store));
    const bySource = [...patient.config.sources.values()].map((source) => ofProvider(source, patient));
    return [
      judge('the database', ofDatabase, FAIL_MS, 'database'),
      ...(await Promise.all(bySource)).filter((found) => found !== null),
    ];
  },
};

/** Positive: the other clock is ahead. */
async function measure(now: () => number, ask: () => Promise<number>): Promise<number> {
  const before = now();
  const theirs = await ask();
  return theirs - (before + now()) / 2;
}

async function ofProvider({ name, api, settings }: Source, { now }: Patient): Promise<Finding | null> {
  if (api === null) return null;
  try {
    const offsetMs = await measure(now, async () => {
      // Whatever it answers has a date, and nothing of ours is needed for it.
      const response = await fetch(api.base, { method: 'HEAD', signal: AbortSignal.timeout(TIMEOUT_MS) });
      const date = Date.parse(response.headers.get('date') ?? '');
      if (Number.isNaN(date)) throw new Error('its answer has no date');
      // Cut to the second: on average it was half a second later.
      return date + 500;
    });
    return judge('its API', offsetMs, Math.min(FAIL_MS, settings.toleranceMs / 2), name);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return warn(
      `its API at ${new URL(api.base).host} does not answer (${why})`,
      'what only it can know waits: mend the way to it',
      name,
    );
  }
}

function judge(what: string, offsetMs: number, failMs: number, of: string): Finding {
  const offset = Math.abs(offsetMs);
  const seen = `${what} is ${formatDuration(Math.round(offset))} ${offsetMs > 0 ? 'ahead' : 'behind'}`;
  if (offset > failMs) return fail(seen, SYNCHRONISE, of);
  return offset > WARN_MS
    ? warn(seen, SYNCHRONISE, of)
    : ok(`${what} agrees to ${formatDuration(Math.max(1, Math.round(offset)))}`, of);
}
