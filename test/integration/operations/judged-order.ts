/** Stores events and judges them with the real store, core and apply, without a workflow between them. */
import { createApply } from '../../../activities/apply.ts';
import { createLoad } from '../../../activities/load.ts';
import { createUntaken } from '../../../activities/untaken.ts';
import { order } from '../../../machines/order.ts';
import { machineDigest } from '../../../src/config/machine-digest.ts';
import { compileMachine } from '../../../src/ordering/compile-machine.ts';
import { decide, withSources } from '../../../src/ordering/decide.ts';
import { freshState } from '../../../src/ordering/fresh-state.ts';
import { planOf } from '../../../src/ordering/plan.ts';
import type { OrderKey, SourcePolicy } from '../../../src/ordering/state.ts';
import { GroupCommit } from '../../../src/receiver/group-commit.ts';
import type { NewEvent } from '../../../src/store/events.ts';
import { enterMachine } from '../../../src/store/machines.ts';
import type { Store } from '../../../src/store/store.ts';
import { newEvent } from '../store/new-event.ts';

const POLICY: SourcePolicy = {
  contract: 'sequence',
  api: true,
  find: false,
  first: '1',
  gapTimeoutMs: 30_000,
  lagWindowMs: 60_000,
  askDeadlineMs: 86_400_000,
  effects: 'run',
};

export async function storeEvents(store: Store, events: Partial<NewEvent>[]): Promise<void> {
  const commit = new GroupCommit(store);
  // One after the other: the order they came in is what a timeline shows.
  for (const event of events) await commit.add([newEvent(event)]);
  await commit.stop();
}

export async function judge(store: Store, key: OrderKey, policy: Partial<SourcePolicy> = {}): Promise<void> {
  const compiled = compileMachine(order);
  if ('problems' in compiled) throw new Error(compiled.problems.join('\n'));
  const { machine } = compiled;
  await enterMachine(store, { machine, digest: machineDigest(machine) });
  const events = await createUntaken({ store })({ key, limit: 100 });
  const loaded = await createLoad({ store, settings: { closeAfterMs: 1_000, maxEventsPerRun: 100 } })({
    key,
  });
  const sources = Object.fromEntries(events.map(({ source }) => [source, { ...POLICY, ...policy }]));
  const before = withSources(loaded.state ?? freshState(machine, key), sources);
  const decision = decide(machine, before, events, Date.now());
  const applied = await createApply({ store, worker: 'worker-1' })({
    key,
    revision: loaded.revision,
    runId: 'run-1',
    ...decision,
    news: events.map(({ seq, source, event, stream, version, fact }) => ({
      ref: { seq, source, event },
      stream,
      version,
      fact,
    })),
    dueAt: planOf(decision.state).dueAt,
    machineVersion: machine.version,
  });
  if (!applied.applied) throw new Error('the decision was not applied');
}
