/**
 * Decisions per second on one core: `decide()` for events that are next in their sequence, on an order of two
 * streams, one event a decision. The same state is decided on again and again, as the core never changes it.
 *
 *     node --import tsx bench/core.ts [seconds per round]
 */
import { cpus } from 'node:os';
import { order } from '../machines/order.ts';
import { compileMachine } from '../src/ordering/compile-machine.ts';
import { decide, withSources } from '../src/ordering/decide.ts';
import { freshState } from '../src/ordering/fresh-state.ts';
import type { OrderEvent, OrderState, SourcePolicy } from '../src/ordering/state.ts';

const ROUNDS = 5;
const BATCH = 1_000;
const seconds = Number(process.argv[2] ?? 1);

const compiled = compileMachine(order);
if ('problems' in compiled) throw new Error(compiled.problems.join('\n'));
const { machine } = compiled;

const policy: SourcePolicy = {
  contract: 'sequence',
  api: true,
  find: false,
  first: '1',
  gapTimeoutMs: 30_000,
  lagWindowMs: 60_000,
  askDeadlineMs: 86_400_000,
  effects: 'run',
};
const sources = { shop: policy, pay: policy };

function event(stream: string, version: number, type: string, payment: string | null): OrderEvent {
  const facts = { amount: '4200', currency: 'EUR' };
  return {
    seq: String(version),
    source: stream.slice(0, stream.indexOf('/')),
    event: `evt_${stream}_${version}`,
    stream,
    type,
    payment,
    version: String(version),
    claimedAt: `2026-01-01T00:00:0${version}Z`,
    fact: `${stream} ${type} ${version}`,
    facts,
  };
}

/** An order's way through four statuses, told by its shop and its payment in turn. */
const STORY = [
  event('shop/order:1', 1, 'order.created', null),
  event('pay/payment:1', 1, 'payment.authorized', 'p1'),
  event('pay/payment:1', 2, 'payment.captured', 'p1'),
  event('shop/order:1', 2, 'order.shipped', null),
];

const NOW = 1_767_225_600_000;
const fresh = freshState(machine, { machine: 'order', environment: 'live', id: '1' });
const before: OrderState[] = [withSources(fresh, sources)];
for (const said of STORY)
  before.push(decide(machine, withSources(before.at(-1) as OrderState, sources), [said], NOW).state);

function round(): number {
  let decisions = 0;
  let checked = 0;
  const start = performance.now();
  const until = start + seconds * 1_000;
  while (performance.now() < until) {
    for (let at = 0; at < BATCH; at++) {
      const index = at % STORY.length;
      const state = withSources(before[index] as OrderState, sources);
      const { outcomes } = decide(machine, state, [STORY[index] as OrderEvent], NOW);
      if (outcomes[0]?.outcome === 'applied') checked += 1;
    }
    decisions += BATCH;
  }
  if (checked !== decisions) throw new Error(`${decisions - checked} decisions did not step`);
  return decisions / ((performance.now() - start) / 1_000);
}

round();
const rates = Array.from({ length: ROUNDS }, round).sort((a, b) => a - b);
const median = rates[Math.floor(ROUNDS / 2)] as number;
const count = (rate: number) => Math.round(rate).toLocaleString('en');
console.log(`decide(): ${count(median)} decisions a second on one core (aim 300,000)`);
console.log(
  `rounds ${rates.map(count).join(', ')}; ${cpus()[0]?.model ?? 'unknown CPU'}, Node ${process.version}`,
);
