/**
 * Which fault strikes when: drawn by the seed, and by nothing else.
 *
 * 1. Faults are drawn one after the other, so that a longer run begins as a shorter one, and a run of fewer kinds (`--only`)
 *    has of those the very same ones.
 * 2. Each kind comes once before any comes twice.
 * 3. They overlap, but whatever is ended by one is there again before long: what nobody can work on proves nothing.
 */
import { createRandom, type Random } from '../sandbox/random.ts';
import { FAULT_KINDS, POINTS, type Fault, type FaultKind, type ProcessKind, type Upstream } from './fault.ts';

export interface PlanOptions {
  seed: number;
  durationMs: number;
  /** null: all. */
  only: readonly FaultKind[] | null;
}

/** The first one does not meet an empty stack, and the last one is over before all is waited for. */
const FIRST_AT_MS = 1_500;
const USUAL_GAP_MS = 3_500;
/** A run of less than a minute or so has them denser. */
const FAULTS_OF_A_SHORT_RUN = 20;
const LONGEST_MS = 9_000;
const AT_A_POINT = 0.5;
const MINUTE_MS = 60_000;

export function planFaults({ seed, durationMs, only }: PlanOptions): Fault[] {
  const random = createRandom(`chaos ${seed}`);
  const gapMs = Math.min(USUAL_GAP_MS, durationMs / FAULTS_OF_A_SHORT_RUN);
  const longestMs = Math.min(LONGEST_MS, gapMs * 3);
  const faults: Fault[] = [];
  let kinds: FaultKind[] = [];
  for (let atMs = FIRST_AT_MS; atMs < durationMs * 0.95;) {
    // (2)
    if (kinds.length === 0) kinds = random.fork(`kinds ${faults.length}`).shuffled(FAULT_KINDS);
    const kind = kinds.pop() as FaultKind;
    const own = random.fork(`fault ${faults.length}`);
    const forMs = own.between(300, longestMs);
    faults.push(draw(kind, { atMs: Math.round(atMs), forMs }, own));
    atMs += gapMs * (0.2 + 1.6 * own.next());
  }
  return only === null ? faults : faults.filter(({ kind }) => only.includes(kind));
}

function draw(kind: FaultKind, time: { atMs: number; forMs: number }, random: Random): Fault {
  const number = random.between(1, 2);
  switch (kind) {
    case 'kill-receiver':
    case 'freeze-receiver':
      return { ...time, kind, process: 'receiver', number, at: pointOf('receiver', random) };
    case 'kill-worker':
    case 'freeze-worker':
      return { ...time, kind, process: 'worker', number, at: pointOf('worker', random) };
    case 'kill-temporal':
    case 'freeze-temporal':
      return { ...time, kind, service: 'temporal' };
    case 'kill-mysql':
    case 'freeze-mysql':
      return { ...time, kind, service: 'mysql' };
    case 'cut-mysql':
    case 'cut-temporal':
    case 'cut-effects':
    case 'cut-api': {
      const upstream = kind.slice('cut-'.length) as Upstream;
      const isWorkers = upstream === 'effects' || upstream === 'api';
      const process = isWorkers ? 'worker' : random.pick(['receiver', 'worker'] as const);
      return {
        ...time,
        kind,
        process,
        number,
        upstream,
        how: random.pick(['reset', 'silence', 'no answers']),
      };
    }
    case 'api':
      return {
        ...{ ...time, kind },
        mood: random.pick([
          { down: true },
          { delayMs: random.between(500, 6_000) },
          { versionsBehind: random.between(1, 2) },
          { wrong: random.pick(['another_object', 'a_page', 'half', 'an_unknown_type'] as const) },
        ]),
      };
    case 'effects':
      return {
        ...{ ...time, kind },
        mood: random.pick([{ down: true }, { delayMs: random.between(500, 12_000) }, { silent: true }]),
      };
    case 'clock':
      return { ...time, kind, ...drawClock(number, random) };
    case 'disk-full':
      return { ...time, kind };
  }
}

const pointOf = (process: ProcessKind, random: Random): string | null =>
  random.chance(AT_A_POINT) ? random.pick(POINTS[process]) : null;

/**
 * A receiver that is behind by more than its tolerance would rightly take a signature for new that is old, and one that is
 * ahead refuses what is genuine until its clock is right: the first is not drawn.
 */
function drawClock(number: number, random: Random) {
  const process = random.pick(['receiver', 'worker'] as const);
  const behind = process === 'receiver' ? 4 : 9;
  const minutes = random.chance(0.5) ? random.between(1, 9) : -random.between(1, behind);
  return { process, number, byMs: minutes * MINUTE_MS };
}
