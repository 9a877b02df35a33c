/** Prints after a run where its time went, beside what each part of the tests may take on two cores. */
import type { Reporter, TestModule } from 'vitest/node';

interface Part {
  name: string;
  files: RegExp;
  budgetMinutes: number;
}

/** The first that fits counts. */
const PARTS: Part[] = [
  { name: 'checker', files: /test\/unit\/ordering\/check\//, budgetMinutes: 0.5 },
  { name: 'units and properties', files: /test\/unit\//, budgetMinutes: 1 },
  { name: 'stories', files: /test\/scenarios\//, budgetMinutes: 3 },
  { name: 'integration and replay', files: /test\/(integration|replay)\//, budgetMinutes: 2.5 },
  { name: 'short chaos', files: /test\/chaos\//, budgetMinutes: 1 },
  { name: 'browser', files: /test\/browser\//, budgetMinutes: 2 },
];
const TOTAL_BUDGET_MINUTES = 10;
/** As in vitest.config.ts: a part's files share this many processes. */
const WORKERS = 2;

export default class MinutesReporter implements Reporter {
  #startedAt = 0;

  onTestRunStart(): void {
    this.#startedAt = performance.now();
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = PARTS.map(({ name, files, budgetMinutes }) => {
      const own = modules.filter((module) => partOf(module.moduleId)?.files === files);
      return line(name, own.reduce((sum, module) => sum + durationMs(module), 0) / WORKERS, budgetMinutes);
    });
    const total = line('whole run', performance.now() - this.#startedAt, TOTAL_BUDGET_MINUTES);
    process.stdout.write(`\n${['Minutes, of those it may take:', ...lines, total].join('\n')}\n`);
  }
}

function partOf(file: string): Part | undefined {
  return PARTS.find(({ files }) => files.test(file));
}

function durationMs(module: TestModule): number {
  const { collectDuration, duration, prepareDuration, setupDuration } = module.diagnostic();
  return collectDuration + duration + prepareDuration + setupDuration;
}

function line(name: string, ms: number, budgetMinutes: number): string {
  const minutes = ms / 60_000;
  const verdict = minutes > budgetMinutes ? '  over' : '';
  return `  ${name.padEnd(24)}${minutes.toFixed(1).padStart(5)} of ${budgetMinutes}${verdict}`;
}
