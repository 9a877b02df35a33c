/** One story from its stage to its verdict. */
import type { Diff } from './judge.ts';
import { judge } from './judge.ts';
import type { Observation } from './observation.ts';
import { deliverAgain, play } from './play.ts';
import type { Stage } from './stage.ts';
import { atRest } from './until.ts';

/** Empty: all came out as the story says. */
export async function runStory(stage: Stage, onStep: (index: number) => void = () => {}): Promise<Diff[]> {
  const { scenario } = stage.story;
  const played = await play(stage, onStep);
  const end = await atRest(stage, played.refused);
  const diffs = [...played.diffs, ...judge(scenario, end.observation, stage.storyEnvironment)];
  if (end.unrest !== null)
    diffs.push({ path: ['expect'], expected: 'the story comes to rest', actual: end.unrest });
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
  return diffs;
}

/** What all deliveries once more have changed: nothing but the count of deliveries may. */
function changes(before: Observation, after: Observation): Diff[] {
  const expected = textsOf(before);
  const actual = textsOf(after);
  return [...new Set([...expected.keys(), ...actual.keys()])].flatMap((name) => {
    const [was, is] = [expected.get(name) ?? 'not there', actual.get(name) ?? 'not there'];
    return was === is ? [] : [{ path: ['again'], expected: `${name} stays ${was}`, actual: is }];
  });
}

function textsOf({ orders, events, effects }: Observation): Map<string, string> {
  return new Map([
    ...orders.map(({ id, status, attention }): [string, string] => [
      `order ${id}`,
      [status, ...attention.map(({ kind }) => `with attention ${kind}`)].join(' '),
    ]),
    ...events.map(({ source, id, outcome }): [string, string] => [
      `event ${source}/${id}`,
      outcome ?? 'waiting',
    ]),
    ...effects.map(({ key, state, isDone }): [string, string] => [
      `effect ${key}`,
      `${state}${isDone ? ', done' : ''}`,
    ]),
  ]);
}
