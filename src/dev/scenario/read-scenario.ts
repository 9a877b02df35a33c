/** A story's file: YAML to a story, or everything that is wrong with it, each with its line and column. */
import { readFile } from 'node:fs/promises';
import { isMap, isPair, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { Document, Node } from 'yaml';
import { scenarioSchema } from './scenario.ts';
import type { Scenario } from './scenario.ts';

export interface StoryProblem {
  line: number;
  column: number;
  message: string;
}

export interface ReadStory {
  file: string;
  scenario: Scenario;
  /** Where in its file something stands, or the nearest place around it. */
  placeOf: (path: (string | number)[]) => { line: number; column: number };
}

export type ReadResult = ReadStory | { file: string; problems: StoryProblem[] };

export async function readScenario(file: string): Promise<ReadResult> {
  return parseScenario(file, await readFile(file, 'utf8'));
}

function parseScenario(file: string, text: string): ReadResult {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  if (document.errors.length > 0) {
    return { file, problems: document.errors.map(({ pos, message }) => ({ ...place(pos[0]), message })) };
  }
  const parsed = scenarioSchema.safeParse(document.toJS());
  const placeOf = (path: (string | number)[]) => place(offsetOf(document, path));
  if (parsed.success) return { file, scenario: parsed.data, placeOf };
  const problems = parsed.error.issues.map(({ path, message }) => ({
    ...placeOf(path as (string | number)[]),
    message,
  }));
  return { file, problems };
}

function offsetOf(document: Document, path: (string | number)[]): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(
        (one) => isPair(one) && String(isScalar(one.key) ? one.key.value : one.key) === String(part),
      );
      if (pair === undefined) return offset;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(part)];
      offset = startOf(node) ?? offset;
    } else return offset;
  }
  return offset;
}

const startOf = (node: unknown): number | undefined => (node as Node | null | undefined)?.range?.[0];
