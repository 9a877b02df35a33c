import { afterEach, expect, it, vi } from 'vitest';
import { runExplore } from '../../../src/cli/run-explore.ts';
import { compileMachine } from '../../../src/ordering/compile-machine.ts';
import { ignore } from '../../../src/ordering/machine.ts';

afterEach(() => vi.restoreAllMocks());

/** What is heard last wins. */
const lastWins = compileMachine({
  name: 'ticket',
  version: 1,
  initial: 'new',
  statuses: { new: {}, open: {}, closed: {} },
  effects: {},
  on: {
    'ticket.opened': { new: 'open', closed: 'open', open: ignore('open before') },
    'desk.closed': { new: 'closed', open: 'closed', closed: ignore('closed before') },
  },
});

it('tells a story that several runs find once, and names it in the others', () => {
  if ('problems' in lastWins) throw new Error(lastWins.problems.join('\n'));
  let stdout = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((stdout += String(text))));
  const { runs, isWrong } = runExplore('ticket', lastWins.machine, {
    events: 2,
    seconds: 60,
    streams: 'ticket,desk',
  });
  expect(isWrong).toBe(true);
  const found = runs.filter(({ counterexample }) => counterexample !== null);
  const stories = new Set(found.map(({ counterexample }) => counterexample?.summary));
  expect(found.length).toBeGreaterThan(stories.size);
  expect(stdout.match(/^ +in truth /gm)).toHaveLength(stories.size);
  expect(stdout.match(/ \(told above\)$/gm)).toHaveLength(found.length - stories.size);
});
