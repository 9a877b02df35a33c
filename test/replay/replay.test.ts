/**
 * Saved histories, one per kind of story, against today's workflow code and against a core that decides otherwise.
 * New ones are recorded from the real stack by `npm run record-histories`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { temporal } from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { describe, expect, test } from 'vitest';
import { installRuntime } from '../../src/temporal/runtime.ts';
import { recordingLog } from '../unit/dispatch/order-events.ts';
import { LISTINGS } from './listings.ts';
import { STORIES } from './stories.ts';
import { workflowCode } from './workflow-code.ts';

const folder = new URL('histories/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));

installRuntime(recordingLog([]));

async function replay(file: string, workflowBundle: { code: string }): Promise<void> {
  const saved = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Record<string, unknown>;
  // Protobuf's own reading of its own JSON: the SDK's converters need one copy of protobufjs and find two.
  const history = temporal.api.history.v1.History.fromObject(saved);
  await Worker.runReplayHistory({ workflowBundle }, history, 'order/demo/replayed');
}

test('every kind of story, and of reading a list, has a saved history', () => {
  const kinds = new Set(files.map((name) => name.replace(/(-\d+)?\.json$/, '')));
  expect([...kinds].sort()).toEqual(Object.keys({ ...STORIES, ...LISTINGS }).sort());
});

describe.each(files)('%s', (file) => {
  test('replays on the code of today', async () => {
    await expect(replay(file, await workflowCode())).resolves.toBeUndefined();
  });

  test('replays on a core with a changed rule', async () => {
    await expect(replay(file, await workflowCode({ changedRule: true }))).resolves.toBeUndefined();
  });
});
