import { expect, test } from 'vitest';
import { checkSaid } from '../../../../../src/dev/scenario/format/check-said.ts';
import { pathText, parseScenario } from '../../../../../src/dev/scenario/format/read-scenario.ts';

interface Parts {
  steps?: string[];
  faults?: string;
  order?: string;
  expects?: string;
}

/** A story that is right but for what a test puts into it. */
function saidBy({ steps = [], faults, order = "order: '1042'", expects = 'order: { status: paid }' }: Parts) {
  const text = `name: a story
${order}
sources: { shop: { provider: sandbox } }
deliveries:
  - { source: shop, event: e1, type: order.created, order: '1042' }
${steps.map((step) => `  - { ${step} }`).join('\n')}
${faults === undefined ? '' : `faults: [ { ${faults} } ]`}
expect: { ${expects} }
`;
  const read = parseScenario('story.yaml', text);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return checkSaid(read.scenario).map(({ path, message }) => `${pathText(path)}${message}`);
}

const VAIN: [string, Parts, RegExp][] = [
  ['expects nothing', { expects: '' }, /^expect names nothing that must come out$/],
  ['expects nothing, in parts', { expects: 'events: {}, orders: {}' }, /^expect names nothing/],
  [
    'expects nothing of an effect',
    { expects: 'effects: { fulfil: {} }' },
    /^expect.effects.fulfil names nothing that is compared$/,
  ],
  [
    'expects nothing of an effect of one order',
    { expects: "orders: { '1042': { effects: { fulfil: {} } } }" },
    /^expect.orders.1042.effects.fulfil names nothing/,
  ],
  [
    'expects an entry of the journal without a field',
    { expects: 'order: { journal: [ {} ] }' },
    /^expect.order.journal\[0\] names no field/,
  ],
  [
    'counts refusals by a code that there is not',
    { expects: 'refused: { signature_invalit: 0 }' },
    /'signature_invalit'. Did you mean 'signature_invalid'\?$/,
  ],
  [
    'expects that an event is absent that nothing tells',
    { expects: 'events: { e2: absent }' },
    /nothing in this story names an event 'e2'. Did you mean 'e1'\?$/,
  ],
  [
    'expects that an order is absent that nothing names',
    { expects: "orders: { '1O42': absent }" },
    /nothing in this story names an order '1O42'. Did you mean '1042'\?$/,
  ],
  ['waits for nothing', { steps: ['until: {}'] }, /^deliveries\[1\].until names no sign/],
  ['waits for an order and no sign', { steps: ["until: { order: '1042' }"] }, /names no sign/],
  [
    'waits for an outcome of no event',
    { steps: ['until: { outcome: applied }'] },
    /^deliveries\[1\].until.outcome is not looked at without the 'event'/,
  ],
  [
    'waits for a state of no effect',
    { steps: ['until: { event: e1, state: done }'] },
    /^deliveries\[1\].until.state is not looked at without the 'effect'/,
  ],
  [
    'waits for the workflow of no order',
    { order: '', steps: ['until: { workflow: closed }'] },
    /^deliveries\[1\].until.workflow is not looked at without an 'order'/,
  ],
  [
    'expects an answer to a webhook that is lost',
    { steps: ['source: shop, event: e2, type: order.cancelled, lost: true, http: 401'] },
    /^deliveries\[1\].http is said of a webhook that is lost/,
  ],
  [
    'gives an event another version when it is sent again',
    { steps: ['source: shop, event: e1, version: 9'] },
    /^deliveries\[1\].version is not used: without 'type' the event goes out again/,
  ],
  [
    'expects a refusal that there is not',
    { steps: ['source: shop, event: e2, type: order.cancelled, error: too_larg'] },
    /'too_larg'. Did you mean 'too_large'\?$/,
  ],
  [
    'has a fault that does nothing',
    { faults: 'at: effect.sent' },
    /^faults\[0\] must say either 'kill' or 'freeze'$/,
  ],
  [
    'has a fault that kills and freezes',
    { faults: 'at: effect.sent, kill: worker, freeze: worker, for: 1s' },
    /^faults\[0\] must say either/,
  ],
  ['freezes without an end', { faults: 'at: effect.sent, freeze: worker' }, /must say 'for' how long/],
  [
    'has a fault at no point',
    { faults: 'at: efect.sent, kill: worker' },
    /'efect.sent'. Did you mean 'effect.sent'\?$/,
  ],
];

test.each(VAIN)('a story that %s is refused: it would be green whatever comes out', (_, parts, message) => {
  expect(saidBy(parts)).toEqual([expect.stringMatching(message)]);
});

test('what is compared stays as it is', () => {
  expect(
    saidBy({
      steps: [
        'source: shop, event: e1, copies: 2, after: 10ms',
        'source: shop, event: e2, type: order.cancelled, lost: true, version: 3',
        "source: shop, event: e3, type: order.created, object: '7', error: ECONNREFUSED",
        'until: { event: e1, outcome: applied }',
      ],
      faults: 'at: list.stored, kill: worker, times: 2',
      expects: "events: { e2: absent }, orders: { '7': absent, '1042': {} }, refused: { too_large: 0 }",
    }),
  ).toEqual([]);
  const bytes = "source: shop, body: '{}'";
  expect(saidBy({ steps: [bytes], expects: "events: { e9: absent }, orders: { '9': absent }" })).toEqual([]);
});
