/** One story from its stage to its verdict. */
import { checkStore } from '../../integrity/check-store.ts';
import { changes } from './verdict/changes.ts';
import type { Diff } from './verdict/judge.ts';
import { judge } from './verdict/judge.ts';
import { deliverAgain, play } from './play.ts';
import type { Stage } from './stage/stage.ts';
import { atRest } from './until.ts';

/** Empty: all came out as the story says. */
export async function runStory(stage: Stage, onStep: (index: number) => void = () => {}): Promise<Diff[]> {
  const { scenario } = stage.story;
  const played = await play(stage, onStep);
  await stage.processes.whole();
  const end = await atRest(stage, played.refused);
  const diffs = [...played.diffs, ...judge(scenario, end.observation, stage.storyEnvironment)];
  if (end.unrest !== null)
    diffs.push({ path: ['expect'], expected: 'the story comes to rest', actual: end.unrest });
  for (const index of stage.processes.missedFaults()) {
    const at = scenario.faults?.[index]?.at;
    const actual = 'nothing came to this point as often as the story says';
    diffs.push({ path: ['faults', index], expected: `it happens at ${at}`, actual });
  }
  if (scenario.again !== false && diffs.length === 0) {
    diffs.push(...(await deliverAgain(stage, played)));
    const again = await atRest(stage, played.refused);
    diffs.push(...changes(end.observation, again.observation));
  }
  diffs.push(
    ...stage.effects.offences.map((actual) => ({
      path: ['effects'],
      expected: 'only calls that can be trusted',
      actual,
    })),
  );
  await checkStore(stage.store, {
    onFinding: ({ of, seen }) =>
      diffs.push({ path: ['store'], expected: 'all that is stored agrees', actual: `${of}: ${seen}` }),
  });
  return diffs;
}
