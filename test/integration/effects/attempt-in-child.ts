/**
 * One attempt of one effect in a process of its own, which dies or freezes at a crash point:
 * `attempt-in-child.ts <json>`. Prints `at <point>` when it gets there; a frozen one goes on after SIGCONT.
 */
import { writeSync } from 'node:fs';

import { createRunEffect } from '../../../activities/run-effect.ts';
import { createLog } from '../../../src/log.ts';
import { openStore } from '../../../src/store/store.ts';
import { configWith, httpHandler, machineWith } from './order-with-effects.ts';

export interface ChildOrder {
  mysqlUrl: string;
  effect: { id: string; key: string };
  url: string;
  keyTtlMs: number;
  at: string;
  signal: 'SIGKILL' | 'SIGSTOP';
  /** How much later it is by the wall clock when it wakes. */
  sleptMs: number;
}

const order = JSON.parse(process.argv[2] ?? '') as ChildOrder;
let sleptMs = 0;
const store = openStore(order.mysqlUrl, { connections: 2 });
const machine = machineWith({ fulfil: { once: 'order', whenPassed: 'run' } });
const runEffect = createRunEffect({
  store,
  config: configWith(machine, { fulfil: httpHandler(order.url, { keyTtlMs: order.keyTtlMs }) }),
  log: createLog('silent', 'test'),
  now: () => Date.now() + sleptMs,
  random: () => 0,
  at: (point) => {
    if (point !== order.at) return Promise.resolve();
    // Written before the signal: nothing of this process runs after it.
    writeSync(1, `at ${point}\n`);
    process.kill(process.pid, order.signal);
    sleptMs = order.sleptMs;
    return Promise.resolve();
  },
});
const result = await runEffect(order.effect);
writeSync(1, `${JSON.stringify(result)}\n`);
await store.close();
