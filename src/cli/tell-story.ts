/** How one story ended, at a terminal or as a JSON line. */
import type { FoundStory } from '../dev/scenario/read-stories.ts';
import type { StoryResult } from '../dev/scenario/run-scenarios.ts';
import { resultJson, resultLines } from '../dev/scenario/tell-result.ts';
import type { JsonOption } from './options.ts';
import { colours, plain, print, printJson } from './print.ts';

/** `result` null: the file is no story. */
export function tellStory(found: FoundStory, result: StoryResult | null, { json }: JsonOption): void {
  if (json) {
    printJson(resultJson(found, result));
    return;
  }
  const lines = resultLines(found, result);
  const isRight = lines.length === 0;
  const took = result === null ? '' : colours.dim(` (${(result.durationMs / 1_000).toFixed(1)} s)`);
  print(`${isRight ? colours.green('✓') : colours.red('✗')} ${plain(found.name)}${took}`);
  for (const line of lines) print(line === '' ? '' : `    ${line}`);
  if (!isRight) print('');
}
