/**
 * The part of stored states: rows of every format and rows by chance, damaged. A damaged one is refused by name or read
 * whole: then it is shown, waited for and decided on like any other.
 */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { InorderError } from '../../../src/errors.ts';
import { attentionOf } from '../../../src/ordering/attention.ts';
import { decide } from '../../../src/ordering/decide.ts';
import { planOf } from '../../../src/ordering/plan.ts';
import { settle } from '../../../src/ordering/settle.ts';
import { STATE_FORMAT } from '../../../src/ordering/state.ts';
import type { OrderState } from '../../../src/ordering/state.ts';
import { wake } from '../../../src/ordering/wake.ts';
import { readStoredState } from '../../../src/store/orders.ts';
import { demoMachine } from '../../unit/dispatch/demo-machine.ts';
import { orders, playOrder } from '../core/orders.ts';
import type { OrderInput } from '../core/orders.ts';
import { oddJson } from '../odd-values.ts';
import { openAtOnce } from '../part.ts';
import type { Part } from '../part.ts';
import { PLAIN, written } from '../write-json.ts';

interface Input {
  /** The number of a format, or an order by chance. */
  of: number | OrderInput;
  values: { at: number; json: string | null }[];
  bytes: { at: number; byte: number | null }[];
}

const formats = Array.from({ length: STATE_FORMAT }, (_, at) => at + 1);
const storedAs = (format: number): unknown =>
  (
    JSON.parse(
      readFileSync(new URL(`../../vectors/states/format-${format}.json`, import.meta.url), 'utf8'),
    ) as { state: unknown }
  ).state;

const words = fc.constantFrom(
  ...['"1"', '"2026-01-01T00:00:00Z"', '0', '1', '-1', 'null', 'true', '[]', '{}', '[["1","2"]]', '"event"'],
  ...['"asking"', '"sequence"', '"unordered"', '1770000000000'],
);

export const states: Part<Input> = {
  name: 'states',
  inputs: fc.record({
    of: fc.oneof(fc.constantFrom(...formats), orders),
    values: fc.array(
      fc.record({ at: fc.nat(1_000), json: fc.oneof(words, words, oddJson, fc.constant(null)) }),
      { maxLength: 3 },
    ),
    /** Changed or, with null, where the row ends. */
    bytes: fc.oneof(
      { weight: 4, arbitrary: fc.constant<Input['bytes']>([]) },
      fc.array(fc.record({ at: fc.nat(8_000), byte: fc.option(fc.nat(255)) }), { maxLength: 2 }),
    ),
  }),
  perRound: 1_000,
  open: openAtOnce(findFaults),
};

const KEY = { machine: 'order', environment: 'test', id: '1' };

function findFaults({ of, values, bytes }: Input): string[] {
  const state = typeof of === 'number' ? storedAs(of) : playOrder(of).states.at(-1);
  if (state === undefined) return [];
  let row = written(state as Record<string, unknown>, values, PLAIN);
  for (const { at, byte } of bytes) {
    if (row.length === 0) break;
    if (byte === null) row = row.subarray(0, at % row.length);
    else row[at % row.length] = byte;
  }
  const read = readOrRefuse(row);
  if (read instanceof Error) {
    if (!(read instanceof InorderError)) return [`refused by a foreign error: ${read.stack ?? read.message}`];
    return values.length + bytes.length === 0 ? [`a good state is refused: ${read.message}`] : [];
  }
  return faultsOf(read);
}

function readOrRefuse(row: Buffer): OrderState | Error {
  try {
    return readStoredState(KEY, row);
  } catch (thrown) {
    return thrown instanceof Error ? thrown : new Error(String(thrown));
  }
}

/** Whatever it says, it is worked with. */
function faultsOf(state: OrderState): string[] {
  const now = 1_770_000_000_000;
  attentionOf(state);
  planOf(state);
  wake(demoMachine, state, now);
  for (const [stream, { ask }] of Object.entries(state.streams)) {
    if (!stream.includes('/')) continue;
    const fact = 'x';
    const said = { stream, type: 'payment.captured', payment: null, version: null, fact, facts: {} };
    const ref = { seq: '999999', source: stream.slice(0, stream.indexOf('/')), event: 'evt_new' };
    const { outcomes } = decide(demoMachine, state, [{ ...ref, ...said, claimedAt: null }], now);
    if (outcomes.some(({ outcome }) => outcome === 'failed'))
      return [`an event about ${stream} fails: ${JSON.stringify(outcomes)}`];
    if (ask === null) continue;
    const snapshot = { ...said, asOf: now, parts: [] };
    settle(demoMachine, state, { kind: 'snapshot', snapshot }, ask.n, now);
  }
  return [];
}
