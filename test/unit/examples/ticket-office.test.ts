/**
 * The ticket office of docs/writing-your-table.md, put together from the page: its pieces are one table, and its story is
 * told about it.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { playPure, preparePure } from '../../../src/dev/scenario/pure/play-pure.ts';
import { readStories } from '../../../src/dev/scenario/read-stories.ts';
import type { Story } from '../../../src/dev/scenario/stage/stage.ts';
import { exploreMachine } from '../../../src/ordering/check/explore-machine.ts';
import { linesOf } from '../../../src/ordering/check/tell.ts';
import { compileMachine } from '../../../src/ordering/compile-machine.ts';

const folder = mkdtempSync(join(tmpdir(), 'inorder-tickets-'));
afterAll(() => rmSync(folder, { recursive: true }));

const page = readFileSync(new URL('../../../docs/writing-your-table.md', import.meta.url), 'utf8');

const blocks = (language: string): string[] =>
  [...page.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].flatMap(([, named, text = '']) =>
    named === language ? [text] : [],
  );

/** The frame, with each `name: { … }` in it filled by the block of that name. */
function wholeTable(): string {
  const [frame = '', ...pieces] = blocks('ts');
  return pieces.reduce(
    (text, piece) => {
      const gap = `${piece.slice(0, piece.indexOf(':'))}: { … },`;
      if (!text.includes(gap)) throw new Error(`the page's frame has no ${gap}`);
      return text.replace(gap, () => piece);
    },
    frame.replaceAll('{ … } })', '{ … }, })'),
  );
}

let story: Story;
beforeAll(async () => {
  writeFileSync(join(folder, 'tickets.ts'), wholeTable());
  for (const [at, text] of blocks('yaml').entries()) writeFileSync(join(folder, `${at}.yaml`), text);
  const [found, ...others] = await readStories([folder], { machines: () => Promise.resolve([]) });
  if (found === undefined || 'problems' in found || others.length > 0)
    throw new Error(`the page's story cannot be read: ${JSON.stringify(found)}`);
  ({ story } = found);
});

it('its pieces make a whole table that the checker takes', () => {
  expect(wholeTable()).not.toContain('…');
  expect(compileMachine(story.machine)).not.toHaveProperty('problems');
});

it('its story ends as it says', async () => {
  expect(await playPure(preparePure(story))).toEqual([]);
});

it('no order of arrival makes it end wrong unseen, where its events are numbered or its providers can be asked', () => {
  const compiled = compileMachine(story.machine);
  if ('problems' in compiled) throw new Error(compiled.problems.join('\n'));
  const { machine } = compiled;
  const bounds = { events: 5, complete: 2, samples: 25, seed: 1 };
  const runs = [
    ...exploreMachine(machine, { ...bounds, apis: [true] }),
    ...exploreMachine(machine, { ...bounds, apis: [false], contracts: ['sequence'] }),
  ];
  expect(runs.flatMap(({ counterexample }) => (counterexample ? linesOf(counterexample) : []))).toEqual([]);
}, 240_000);
