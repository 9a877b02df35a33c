/** Plays one part until its time is over. A failing input is made as small as the time allows. */
import fc from 'fast-check';
import type { OpenPart, Part, PartName } from './part.ts';

/** A reproduction: `npm run fuzz -- --replay FILE` tries `input` again. */
export interface Fault {
  part: PartName;
  seed: number;
  problems: string[];
  /** undefined: it shows only over many inputs of this seed. */
  input?: unknown;
}

export interface PlayedPart {
  tried: number;
  faults: Fault[];
}

export interface PlayOptions {
  seconds: number;
  seed: number;
  onRound?: (tried: number) => void;
}

/** More of the same is no news. */
const MOST_FAULTS = 10;

export async function playPart<Input>(part: Part<Input>, options: PlayOptions): Promise<PlayedPart> {
  const endsAt = performance.now() + options.seconds * 1_000;
  const played: PlayedPart = { tried: 0, faults: [] };
  const open = await part.open();
  try {
    for (let seed = options.seed; performance.now() < endsAt && played.faults.length < MOST_FAULTS; seed++) {
      const faults = [await playRound(part, open, { seed, leftMs: endsAt - performance.now(), played })];
      const overall = (await open.findFaultsOfRound?.()) ?? [];
      if (overall.length > 0) faults.push({ part: part.name, seed, problems: overall });
      for (const fault of faults) if (fault !== null && isNew(played, fault)) played.faults.push(fault);
      options.onRound?.(played.tried);
    }
  } finally {
    await open.close();
  }
  return played;
}

interface Round {
  seed: number;
  leftMs: number;
  played: PlayedPart;
}

async function playRound<Input>(
  part: Part<Input>,
  open: OpenPart<Input>,
  { seed, leftMs, played }: Round,
): Promise<Fault | null> {
  const run = await fc.check<[Input]>(
    fc.asyncProperty(part.inputs, async (input) => {
      played.tried += 1;
      const problems = await problemsOf(open, input);
      if (problems.length > 0) throw new Error(problems.join('\n'));
    }),
    { seed, numRuns: part.perRound, plugins: [fc.interruptAfterTimeLimit(leftMs)] },
  );
  if (!run.failed || run.counterexample === null) return null;
  const [input] = run.counterexample;
  return { part: part.name, seed, problems: await problemsOf(open, input), input };
}

export async function problemsOf<Input>(open: OpenPart<Input>, input: Input): Promise<string[]> {
  try {
    return await open.findFaults(input);
  } catch (error) {
    return [`threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`];
  }
}

/** The same words with other numbers are the same fault. */
function isNew({ faults }: PlayedPart, fault: Fault): boolean {
  const kind = ({ problems: [first = ''] }: Fault) => first.replaceAll(/\d+|"[^"]*"/g, '#').slice(0, 120);
  return !faults.some((known) => kind(known) === kind(fault));
}
