/** How a story went, for people and for programs: what differs, each at its line, and what happened to its orders. */
import { relative } from 'node:path';
import { plain } from '../../cli/print.ts';
import { timelineLines } from '../../cli/print-timeline.ts';
import type { FoundStory } from './read-stories.ts';
import type { StoryResult } from './run-scenarios.ts';

/** Empty: all is as the story says. `result` null: it could not be read. */
export function resultLines(found: FoundStory, result: StoryResult | null): string[] {
  const file = nameOf(found.file);
  if ('problems' in found) {
    return found.problems.map(({ line, column, message }) => `${file}:${line}:${column}  ${message}`);
  }
  if (result === null || result.diffs.length === 0) return [];
  return [
    ...result.diffs.flatMap(({ path, expected, actual }) => [
      `${file}:${found.placeOf(path).line}  ${pathOf(path)}`,
      `    expected  ${plain(expected)}`,
      `    came out  ${plain(actual)}`,
    ]),
    ...result.timelines.flatMap(({ order, timeline }) => [
      '',
      `What happened to order ${plain(order)}`,
      ...timelineLines(timeline, { since: timeline.entries[0]?.receivedAt ?? '' }),
    ]),
    ...(typeof result.log === 'string'
      ? ['', `What its receivers and workers warned of: ${result.log}`]
      : []),
  ];
}

export interface ResultJson {
  name: string | null;
  file: string;
  ok: boolean;
  diffs: { path: string; line: number; expected: string; actual: string }[];
  /** A file with what receivers and workers warned of. */
  log: string | null;
}

export function resultJson(found: FoundStory, result: StoryResult | null): ResultJson {
  const file = nameOf(found.file);
  if ('problems' in found) {
    const diffs = found.problems.map(({ line, message }) => ({
      path: '',
      line,
      expected: 'a story',
      actual: message,
    }));
    return { name: found.name, file, ok: false, diffs, log: null };
  }
  const diffs = (result?.diffs ?? []).map(({ path, expected, actual }) => {
    const { line } = found.placeOf(path);
    return { path: pathOf(path), line, expected, actual };
  });
  return {
    name: found.name,
    file,
    ok: diffs.length === 0,
    diffs,
    log: (diffs.length > 0 && result?.log) || null,
  };
}

/** From here, where it lies below. */
function nameOf(file: string): string {
  const name = relative('', file);
  return name.startsWith('..') ? file : name;
}

/** Steps count from 1, as people count them. */
const pathOf = (path: (string | number)[]): string => {
  const [first, index, ...more] = path;
  if (first !== 'deliveries' || typeof index !== 'number') return path.join('.');
  return [`delivery ${index + 1}`, ...more].join(' ');
};
