/**
 * Tables that a tired person may write: a good one with other values in it. The compiler takes it or says what is
 * wrong, each message at a place; what it takes can be drawn, and it never throws.
 */
import fc from 'fast-check';
import { order } from '../../../machines/order.ts';
import { drawMermaid } from '../../../src/ordering/check/draw-mermaid.ts';
import { drawTable } from '../../../src/ordering/check/draw.ts';
import { compileMachine } from '../../../src/ordering/compile-machine.ts';
import type { MachineDefinition } from '../../../src/ordering/machine.ts';
import { oddJson } from '../odd-values.ts';
import { PLAIN, written } from '../write-json.ts';

export interface DefinitionInput {
  /** Other values, as texts of JSON, at the table's places by their number; null takes one away. */
  values: { at: number; json: string | null }[];
}

const SMALL = {
  name: 'order',
  version: 1,
  initial: 'new',
  statuses: { new: { deadline: { after: '1h', type: 'order.expired' } }, paid: { effects: ['tell'] } },
  effects: { tell: { once: 'order', whenPassed: 'run', validIn: ['paid'] } },
  on: {
    'order.expired': { new: { review: 'late' }, else: { ignore: 'paid' } },
    'payment.captured': { new: 'paid', else: { own: 'paid', other: { stay: 'twice', effects: ['tell'] } } },
  },
  late: { 'payment.captured': { paid: 'alert' } },
  ahead: ['payment.captured'],
  stepsBack: [],
  unlisted: 'ask',
  renamed: { unpaid: 'new' },
};

const words = fc.constantFrom(
  ...['"new"', '"paid"', '"tell"', '"order"', '"payment.captured"', '"else"', '["tell"]', '{"ignore":"x"}'],
  ...['{"review":""}', '{"own":"paid"}', '{"stay":"x"}', '{"new":"paid"}', '{"after":"0s"}', '"9999999999d"'],
);

export const definitions: fc.Arbitrary<DefinitionInput> = fc.record({
  values: fc.array(fc.record({ at: fc.nat(400), json: fc.oneof(words, words, oddJson, fc.constant(null)) }), {
    minLength: 1,
    maxLength: 4,
  }),
});

export function findDefinitionFaults({ values }: DefinitionInput): string[] {
  return [SMALL, order].flatMap((good) => {
    const text = written(good as Record<string, unknown>, values, PLAIN).toString();
    const definition = JSON.parse(text) as MachineDefinition;
    const compiled = compileMachine(definition);
    if ('machine' in compiled) {
      drawTable(compiled.machine);
      drawMermaid(compiled.machine);
      return [];
    }
    const { problems } = compiled;
    if (problems.length === 0) return ['refused without a word'];
    return problems.filter((problem) => !/: ./s.test(problem)).map((problem) => `no place in: ${problem}`);
  });
}
