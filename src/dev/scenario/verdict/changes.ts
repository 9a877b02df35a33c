/** What all deliveries once more have changed: nothing but the count of deliveries may. */
import type { Diff } from './judge.ts';
import type { Observation } from './observation.ts';

export function changes(before: Observation, after: Observation): Diff[] {
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
