/** Changes of the core that no test notices and that harm nobody, each with its reason: survivors.yaml. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

/** By file: reasons, and the changes that each speaks for as `<what was written> → <what it becomes>`. */
const LIST = z.record(
  z.string(),
  z.array(z.strictObject({ reason: z.string().min(1), changes: z.array(z.string()).min(1) })),
);

/** One change that was tried, and whether a test noticed it. */
export interface Tried {
  file: string;
  /** `<file>:<line>:<column>` */
  place: string;
  change: string;
  isNoticed: boolean;
}

export interface Compared<T extends Tried> {
  /** No test notices it, and nobody has said why that is well. */
  unexplained: T[];
  /** Listed, and noticed or not there any more. */
  needless: { file: string; change: string }[];
}

export const readSurvivors = (path: string) => LIST.parse(parse(readFileSync(path, 'utf8')));

/** A change that is written twice in a file is listed twice. */
export function compareWith<T extends Tried>(list: z.infer<typeof LIST>, tried: readonly T[]): Compared<T> {
  const left = new Map<string, number>();
  const judged = new Set(tried.map(({ file }) => file));
  const listed = Object.entries(list).flatMap(([file, groups]) =>
    groups.flatMap(({ changes }) => changes.map((change) => ({ file, change }))),
  );
  for (const one of listed) left.set(keyOf(one), (left.get(keyOf(one)) ?? 0) + 1);
  const unexplained = tried.filter((one) => {
    if (one.isNoticed) return false;
    const count = left.get(keyOf(one)) ?? 0;
    if (count > 0) left.set(keyOf(one), count - 1);
    return count === 0;
  });
  const needless = listed.filter((one) => {
    const count = left.get(keyOf(one)) ?? 0;
    if (count === 0 || !judged.has(one.file)) return false;
    left.set(keyOf(one), count - 1);
    return true;
  });
  return { unexplained, needless };
}

const keyOf = ({ file, change }: { file: string; change: string }) => `${file}\n${change}`;

/** How a change is written in the list: on one line, its middle left out where it is long. */
export function changeOf(was: string, becomes: string): string {
  return `${shortened(was)} → ${shortened(becomes)}`;
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= 120 ? line : `${line.slice(0, 80)} … ${line.slice(-30)}`;
}
