/** A story's file: YAML to a story, or everything that is wrong with it, each with its line and column. */
import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import type { Document, Node } from 'yaml';
import { scenarioSchema } from './scenario.ts';
import type { Scenario } from './scenario.ts';
import { fieldProblems } from './story-problems.ts';

export interface Place {
  line: number;
  column: number;
}
export interface StoryProblem extends Place {
  message: string;
}
export type StoryPath = (string | number)[];

export interface ReadStory {
  file: string;
  scenario: Scenario;
  /** Where in its file something stands, or the nearest place around it. */
  placeOf: (path: StoryPath) => Place;
}

export type ReadResult = ReadStory | { file: string; problems: StoryProblem[] };

export async function readScenario(file: string): Promise<ReadResult> {
  const bytes = await readFile(file);
  if (!isUtf8(bytes)) {
    return { file, problems: [{ line: 1, column: 1, message: 'is not UTF-8: save it as that' }] };
  }
  return parseScenario(file, bytes.toString('utf8'));
}

export function parseScenario(file: string, text: string): ReadResult {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'error',
    // `1` and `'1'` are one name here: the second would take the place of the first.
    uniqueKeys: (a, b) => a === b || (isScalar(a) && isScalar(b) && String(a.value) === String(b.value)),
  });
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  // A tag that YAML does not know is a warning to the parser, and its value would be another than it seems.
  const found = [...document.errors, ...document.warnings];
  // What follows from the first one of a line is not the matter.
  const lineOf = (problem: (typeof found)[number]) => placeAt(problem.pos[0]).line;
  const broken = found.filter((one, at) => found.findIndex((other) => lineOf(other) === lineOf(one)) === at);
  if (broken.length > 0) {
    const problems = broken.map(({ pos, code, message }) => ({
      ...placeAt(pos[0]),
      message: code === 'MULTIPLE_DOCS' ? 'a second document begins: a file holds one story' : message,
    }));
    return { file, problems };
  }
  const given = valueOf(document);
  if ('problem' in given) return { file, problems: [{ ...placeAt(given.offset), message: given.problem }] };
  const { story } = given;
  const placeOf = (path: StoryPath) => placeAt(offsetOf(document, path));
  const changed = changedNumbers(document).map(({ offset, message }) => ({ ...placeAt(offset), message }));
  const parsed = scenarioSchema.safeParse(story);
  if (parsed.success && changed.length === 0) return { file, scenario: parsed.data, placeOf };
  const wrong = parsed.success ? [] : fieldProblems(parsed.error.issues, story);

  const problems = wrong.map(({ path, message }) => ({
    ...placeOf(path),
    message: `${pathText(path)}${message}`,
  }));
  return { file, problems: [...changed, ...problems].sort((a, b) => a.line - b.line || a.column - b.column) };
}

/** `deliveries[1].copies: ` as a person writes it. */
export function pathText(path: StoryPath): string {
  if (path.length === 0) return 'the story ';
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
  return `${text.replace(/^\./, '')} `;
}

/** Aliases that name nothing, or so many that a small file would fill the memory. */
function valueOf(document: Document): { story: unknown } | { problem: string; offset: number } {
  try {
    return { story: document.toJS() };
  } catch (error) {
    let offset = 0;
    visit(document, {
      Alias(_key, node) {
        offset = node.range?.[0] ?? 0;
        if (node.resolve(document) === undefined) return visit.BREAK;
        return undefined;
      },
    });
    return { problem: error instanceof Error ? error.message : String(error), offset };
  }
}

/** YAML reads `007` as 7 and `1e3` as 1000: an id that is not what stands there. */
function changedNumbers(document: Document): { offset: number; message: string }[] {
  const found: { offset: number; message: string }[] = [];
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value !== 'number' || node.source === undefined || isKept(node.source, node.value))
        return;
      const message = `${node.source} is read as the number ${node.value}; put it in quotes`;
      found.push({ offset: node.range?.[0] ?? 0, message });
    },
  });
  return found;
}

const isKept = (source: string, value: number): boolean =>
  source === String(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER;

function offsetOf(document: Document, path: StoryPath): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) =>
        isPair(key) ? false : String(isScalar(key) ? key.value : key) === String(part),
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
