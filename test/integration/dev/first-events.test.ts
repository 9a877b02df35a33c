import { expect, test } from 'vitest';
import { createFirstEventsTeller } from '../../../src/dev/first-events.ts';
import { createLog } from '../../../src/log.ts';
import { suggestOrderPath, tellUnlinked } from '../../../src/operations/suggest-order-path.ts';
import { startSystem } from '../processes/system.ts';

test('[R4] after twenty events of a source it is told once how many found no order, and in which field it could be', async () => {
  const { store, config, sendBody } = await startSystem({ worker: false });
  const lines: string[] = [];
  const teller = createFirstEventsTeller({
    ...{ store, sources: config.sources, log: createLog('silent', 'test'), oldEnoughMs: 0 },
    say: (line) => lines.push(line),
  });
  await teller.runOnce();
  for (let i = 0; i < 20; i += 1) {
    const body = {
      id: `e${i}`,
      type: 'payment.captured',
      ...(i < 5 ? { order: `hidden-${i}` } : {}),
      object: { kind: 'payment', id: `p${i}` },
      version: 1,
      meta: { order_id: `hidden-${i}` },
    };
    expect(await sendBody(`payment:p${i}`, body.id, JSON.stringify(body))).toBe(202);
  }
  await teller.runOnce();
  await teller.runOnce();
  expect(lines).toEqual([
    'payments: of the last 20 events 15 found no order. To do: have the sender put the id of the order into what it ' +
      'sends; no field of these looks like one.',
  ]);
  // A source whose paths are its own is told the field; neither says a value.
  const { payments } = Object.fromEntries(config.sources);
  if (payments === undefined) throw new Error('the demo has no payments');
  const source = { ...payments, provider: { ...payments.provider, orderPathsFrom: 'meta' } };
  const share = await suggestOrderPath(store, source, { limit: 20 });
  expect(share).toEqual({
    ...{ source: 'payments', events: 20, unlinked: 15, field: 'order' },
    candidates: [{ path: 'order_id', events: 15 }],
  });
  expect(tellUnlinked(share)).toEqual({
    seen: 'of the last 20 events 15 found no order; fields that could name it: order_id (in 15 of 15)',
    fix: "if it is the id of your order, set order: ['order_id'] in the source",
  });
  expect(JSON.stringify([share, lines])).not.toContain('hidden');
});
