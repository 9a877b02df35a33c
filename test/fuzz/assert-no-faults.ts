/** A small share of a part for `npm test`. Its seed is printed when it fails: `npm run fuzz -- PART --seed S`. */
import fc from 'fast-check';
import type { Part } from './part.ts';
import { problemsOf } from './play-part.ts';

export async function assertNoFaults<Input>(
  part: Part<Input>,
  { inputs }: { inputs: number },
): Promise<void> {
  const open = await part.open();
  try {
    await fc.assert(
      fc.asyncProperty(part.inputs, async (input) => {
        const problems = await problemsOf(open, input);
        if (problems.length > 0) throw new Error(problems.join('\n'));
      }),
      { numRuns: inputs },
    );
    const overall = (await open.findFaultsOfRound?.()) ?? [];
    if (overall.length > 0) throw new Error(overall.join('\n'));
  } finally {
    await open.close();
  }
}
