/**
 * Reads a list on the real stack in each way that leaves another history, and replays what Temporal kept of it on
 * today's code. With INORDER_RECORD_HISTORIES=1 the histories are written to test/replay/histories.
 */
import { writeFileSync } from 'node:fs';
import { Connection, WorkflowClient } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { expect, test } from 'vitest';
import { RECONCILE_SOURCE_WORKFLOW } from '../../../workflows/messages.ts';
import { LISTINGS } from '../../replay/listings.ts';
import { workflowCode } from '../../replay/workflow-code.ts';
import { startSystem } from '../processes/system.ts';

const isRecording = process.env['INORDER_RECORD_HISTORIES'] === '1';
const folder = new URL('../../replay/histories/', import.meta.url);

const COUNTS = {
  'list-read-in-pages': { pages: 2, listed: 102, found: 102 },
  'list-window-resumed': { pages: 2, listed: 1, found: 1 },
  'list-limited-and-by-hand': { pages: 1, listed: 1, found: 1 },
};

test.each(Object.entries(LISTINGS))(
  '%s finds what was told, and its history replays on today’s code [R45]',
  async (name, play) => {
    const system = await startSystem();
    const { temporalAddress: address, taskQueue } = system.world;
    const connection = await Connection.connect({ address });
    system.defer(() => connection.close());
    const workflowId = `${taskQueue}-${name}`;
    const client = new WorkflowClient({ connection });
    const { pages, counts } = await play(system, (input) =>
      client.start(RECONCILE_SOURCE_WORKFLOW, { workflowId, taskQueue, args: [input] }),
    );
    const { listed, found } = counts;
    expect({ pages, listed, found }).toEqual(COUNTS[name as keyof typeof COUNTS]);
    const history = await client.getHandle(workflowId).fetchHistory();
    await Worker.runReplayHistory({ workflowBundle: await workflowCode() }, history, workflowId);
    if (isRecording) writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(history, null, 1)}\n`);
  },
  60_000,
);
