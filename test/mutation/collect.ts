/**
 * The part of vitest that the core's tests use, as a list of tests that can be run again and again in one process:
 * vitest itself starts a worker and loads every file anew for each run, which costs more than most tests.
 */
import { expect } from 'vitest';

export interface Collected {
  /** `<file> > <describe> > <title>` */
  id: string;
  run: () => unknown;
}

type Body = (...args: never[]) => unknown;

/** What stands for `vitest` in the test files, and the tests that it was given. */
export function newCollection() {
  const tests: Collected[] = [];
  const path: string[] = [];

  const describe = (title: string, body: () => void) => {
    path.push(title);
    body();
    path.pop();
  };
  const add = (title: string, run: () => unknown) => {
    const id = [...path, title].join(' > ');
    if (tests.some((known) => known.id === id)) throw new Error(`two tests are called "${id}"`);
    tests.push({ id, run });
  };
  const addEach = (cases: readonly unknown[]) => (title: string, body: Body) => {
    for (const [at, given] of cases.entries()) {
      const args = (Array.isArray(given) ? given : [given]) as never[];
      // Only for telling cases apart: which words vitest would put into the title does not matter here.
      add(`${title} (${at + 1})`, () => body(...args));
    }
  };
  const test = Object.assign(add, { each: addEach });

  return {
    tests,
    /** Loads a file, and what it collects is under its name. */
    async within(file: string, load: () => Promise<unknown>) {
      path.push(file);
      await load();
      path.pop();
    },
    /** What a test file imports. */
    words: { describe, expect, it: test, test },
  };
}

export type Collection = ReturnType<typeof newCollection>;
