/**
 * StrykerJS's test runner for the core: all test files are loaded once into one process, where a mutant is a number
 * that is switched on. A mutant that a quick test kills costs milliseconds.
 *
 * T1  A kill counts only if its test passes again without the mutant: what a mutant left behind in the process kills
 *     nothing. If it does not, everything is loaded anew and the mutant is judged again.
 * T2  A file that remembers (`FRESH`) and code that runs while files are loaded get a process that is loaded anew.
 */
import { relative } from 'node:path';
import { INSTRUMENTER_CONSTANTS } from '@stryker-mutator/api/core';
import type { InstrumenterContext, StrykerOptions } from '@stryker-mutator/api/core';
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import {
  determineHitLimitReached,
  DryRunStatus,
  MutantRunStatus,
  TestStatus,
} from '@stryker-mutator/api/test-runner';
import type {
  DryRunResult,
  MutantRunOptions,
  MutantRunResult,
  TestResult,
  TestRunner,
} from '@stryker-mutator/api/test-runner';
import type { Collected } from './collect.ts';
import { startTestLoader } from './load-tests.ts';
import type { TestLoader } from './load-tests.ts';

/** What these files derive once outlives a mutant, and hides it or speaks for it. */
const FRESH = new Set(['src/ordering/table.ts']);

export interface InProcessOptions {
  testFiles: string[];
  /** Of each property's runs, so many are made (1: all). */
  share: number;
}

/** What instrumented code looks at. */
const stryker: InstrumenterContext = {};
Object.assign(globalThis, { [INSTRUMENTER_CONSTANTS.NAMESPACE]: stryker });

class InProcessRunner implements TestRunner {
  static inject = tokens(commonTokens.options);
  readonly #options: InProcessOptions;
  #loader: TestLoader | null = null;
  #tests: Collected[] = [];
  /** What was loaded may be other than what was written. */
  #isDirty = true;
  /** Cheap ones first, and before them those that killed lately: what kills one mutant often kills its neighbour. */
  readonly #costMs = new Map<string, number>();
  readonly #killedAt = new Map<string, number>();
  #kills = 0;

  constructor(options: StrykerOptions) {
    this.#options = options['inProcess'] as InProcessOptions;
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    this.#loader = await startTestLoader(process.cwd(), this.#options.testFiles, this.#options.share);
  }

  async dispose() {
    await this.#loader?.close();
  }

  async dryRun(): Promise<DryRunResult> {
    await this.#load();
    const results: TestResult[] = [];
    for (const test of this.#tests) {
      stryker.currentTestId = test.id;
      const begun = performance.now();
      const failure = await failureOf(test);
      const timeSpentMs = performance.now() - begun;
      this.#costMs.set(test.id, timeSpentMs);
      const known = { id: test.id, name: test.id, timeSpentMs };
      results.push(
        failure === null
          ? { ...known, status: TestStatus.Success }
          : { ...known, status: TestStatus.Failed, failureMessage: failure },
      );
    }
    delete stryker.currentTestId;
    const { mutantCoverage } = stryker;
    return { status: DryRunStatus.Complete, tests: results, ...(mutantCoverage && { mutantCoverage }) };
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { activeMutant, mutantActivation, hitLimit, sandboxFileName } = options;
    const isFresh = FRESH.has(relative(process.cwd(), sandboxFileName));
    const isStatic = mutantActivation === 'static' || options.reloadEnvironment;
    for (let attempt = 1; ; attempt += 1) {
      stryker.hitCount = 0;
      stryker.hitLimit = hitLimit as number;
      if (isStatic) {
        stryker.activeMutant = activeMutant.id;
        const failure = await this.#load().then(() => null, messageOf);
        this.#isDirty = true;
        if (failure !== null) return this.#killed(['loading'], failure, 0);
      } else if (this.#isDirty || isFresh) {
        await this.#load();
      }
      stryker.activeMutant = activeMutant.id;
      const result = await this.#run(options);
      delete stryker.activeMutant;
      if (isFresh) this.#isDirty = true;
      const limit = determineHitLimitReached(stryker.hitCount, hitLimit);
      delete (stryker as Partial<InstrumenterContext>).hitCount;
      if (limit !== undefined) {
        this.#isDirty = true;
        return {
          status: MutantRunStatus.Timeout,
          ...(limit.reason !== undefined && { reason: limit.reason }),
        };
      }
      if (result.killer === null) return { status: MutantRunStatus.Survived, nrOfTests: result.ran };
      // T1.
      if (isStatic || isFresh || attempt > 1 || (await failureOf(result.killer)) === null)
        return this.#killed([result.killer.id], result.failure, result.ran);
      this.#isDirty = true;
    }
  }

  #killed(killedBy: string[], failureMessage: string, nrOfTests: number): MutantRunResult {
    return { status: MutantRunStatus.Killed, killedBy, failureMessage, nrOfTests };
  }

  async #run({ testFilter }: MutantRunOptions) {
    const wanted = testFilter === undefined ? null : new Set(testFilter);
    const tests = this.#tests.filter(({ id }) => wanted === null || wanted.has(id));
    // Nothing would fail, and it would look like a survivor.
    if (tests.length === 0)
      throw new Error(`no test is called ${testFilter?.[0]}: the tests were changed meanwhile`);
    tests.sort((a, b) => this.#rank(a) - this.#rank(b));
    let ran = 0;
    for (const test of tests) {
      ran += 1;
      const begun = performance.now();
      const failure = await failureOf(test);
      if (failure !== null) {
        this.#kills += 1;
        this.#killedAt.set(test.id, this.#kills);
        return { killer: test, failure, ran };
      }
      this.#costMs.set(test.id, performance.now() - begun);
    }
    return { killer: null, failure: '', ran };
  }

  #rank({ id }: Collected): number {
    const cost = this.#costMs.get(id) ?? 1;
    const since = this.#kills - (this.#killedAt.get(id) ?? -Infinity);
    return since < 20 ? cost / (40 - since) : cost;
  }

  async #load() {
    if (this.#loader === null) throw new Error('not started');
    this.#tests = await this.#loader.load();
    this.#isDirty = false;
  }
}

async function failureOf({ run }: Collected): Promise<string | null> {
  try {
    await run();
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'in-process', InProcessRunner)];

export const strykerValidationSchema = {
  properties: { inProcess: { type: 'object' } },
};
