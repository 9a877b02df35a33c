/** The smallest workflow that does what the floor counts: takes a signal, makes one transaction. */
import { condition, defineSignal, proxyLocalActivities, setHandler } from '@temporalio/workflow';
import type { FloorActivities } from './apply.ts';

const { settle } = proxyLocalActivities<FloorActivities>({ startToCloseTimeout: '3s' });

export async function floor(order: string): Promise<void> {
  const inbox: string[] = [];
  setHandler(defineSignal<[string]>('deliver'), (seq) => {
    inbox.push(seq);
  });
  let revision = 0;
  for (;;) {
    await condition(() => inbox.length > 0);
    revision += 1;
    await settle({ order, revision, seq: inbox.shift() as string });
  }
}
