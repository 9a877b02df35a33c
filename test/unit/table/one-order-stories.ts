/**
 * The stories of `each-status`, cut into one for each of their orders: what a changed cell spoils shows in
 * the few that touch it, within milliseconds.
 */
import { fileURLToPath } from 'node:url';
import { order } from '../../../machines/order.ts';
import { touchedBy } from '../../../src/dev/scenario/pure/against.ts';
import { preparePure, type PureStory } from '../../../src/dev/scenario/pure/play-pure.ts';
import { readStories } from '../../../src/dev/scenario/read-stories.ts';
import type { Scenario, ScenarioStep } from '../../../src/dev/scenario/format/scenario.ts';

const FOLDER = fileURLToPath(new URL('each-status', import.meta.url));

export interface TouchingStory {
  story: PureStory;
  /** `<type> <status>`, whatever the payment. */
  touched: ReadonlySet<string>;
}

export async function oneOrderStories(): Promise<TouchingStory[]> {
  const found = await readStories([FOLDER], { machines: () => Promise.resolve([order]) });
  const stories = found.flatMap((one) => {
    if ('problems' in one) throw new Error(JSON.stringify(one.problems));
    const { scenario, file } = one.story;
    return Object.keys(scenario.expect.orders ?? {}).map((id) => ({
      scenario: cut(scenario, id),
      file,
      machine: order,
    }));
  });
  return await Promise.all(
    stories.map(async (story) => ({
      story: preparePure(story),
      touched: new Set([...(await touchedBy(story))].map((cell) => cell.split(' ').slice(0, 2).join(' '))),
    })),
  );
}

function cut(scenario: Scenario, id: string): Scenario {
  const { orders = {}, events = {} } = scenario.expect;
  return {
    ...scenario,
    name: `${scenario.name}: ${id}`,
    deliveries: scenario.deliveries.filter((step) => orderOf(step) === id),
    again: false,
    expect: {
      orders: Object.fromEntries(Object.entries(orders).filter(([name]) => name === id)),
      events: Object.fromEntries(Object.entries(events).filter(([name]) => name === id)),
    },
  };
}

const orderOf = (step: ScenarioStep): string | null | undefined =>
  'source' in step && !('person' in step) ? (step.order ?? step.object) : undefined;
