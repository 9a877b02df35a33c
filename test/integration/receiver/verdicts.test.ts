import { describe, expect, it } from 'vitest';

import type { ParsedEvent, Provider, Refusal } from '../../../src/providers/provider.ts';
import { sandbox } from '../../../src/providers/sandbox.ts';
import { bodyOf, signed, startWorld } from './world.ts';
import type { Message } from './world.ts';

/** A provider that sends several items in one body; an item may be bad by itself. */
const batches: Provider = {
  ...sandbox,
  name: 'batches',
  parse: (delivery, settings) =>
    (JSON.parse(delivery.body.toString()) as { items: unknown[] }).items.flatMap(
      (item): (ParsedEvent | Refusal)[] =>
        item === 'forged'
          ? [{ refused: 'signature_invalid', message: 'the item’s own signature does not hold' }]
          : sandbox.parse({ ...delivery, body: Buffer.from(JSON.stringify(item)) }, settings),
    ),
  acknowledge: () => ({ status: 200, contentType: 'text/plain', body: '[accepted]' }),
};
const batchOf = (...items: (Message | 'forged')[]): Buffer =>
  Buffer.from(
    JSON.stringify({
      items: items.map((item) =>
        item === 'forged' ? item : (JSON.parse(bodyOf(item).toString()) as unknown),
      ),
    }),
  );

describe('a body with several items', () => {
  const batchWorld = () => startWorld({ sources: { shop: { provider: batches } } });

  it('has a verdict for each: good ones are stored, bad ones refused, the answer is the provider’s own 2xx', async () => {
    const world = await batchWorld();
    const body = batchOf({ id: 'evt_1', version: 1 }, 'forged', { id: 'evt_2', version: 2 });
    const answered: [number, string][] = [];
    while (answered.length < 2) {
      const response = await fetch(`${world.url}/webhooks/shop`, {
        method: 'POST',
        body,
        headers: signed(body),
      });
      answered.push([response.status, await response.text()]);
    }
    expect(answered).toEqual([
      [200, '[accepted]'],
      [200, '[accepted]'],
    ]);
    expect((await world.rows()).map((row) => row.event_id)).toEqual(['evt_1', 'evt_2']);
    expect(await world.metric('inorder_refused_total', { reason: 'signature_invalid' })).toBe(2);
    expect(await world.metric('inorder_deliveries_total', { answer: 'known' })).toBe(1);
  });

  it('is refused by the first reason when none of them is good', async () => {
    const world = await batchWorld();
    expect(await world.post(batchOf('forged', { type: 'payment.exploded' }))).toMatchObject({
      status: 401,
      body: { error: 'signature_invalid' },
    });
    expect(await world.rows()).toEqual([]);
  });

  it('may name one event twice', async () => {
    const world = await batchWorld();
    const twice = batchOf({ id: 'evt_1' }, { id: 'evt_1' });
    const response = await fetch(`${world.url}/webhooks/shop`, {
      method: 'POST',
      body: twice,
      headers: signed(twice),
    });
    expect(response.status).toBe(200);
    expect(await world.rows()).toHaveLength(1);
  });
});

describe('an adapter that breaks', () => {
  it('on an authentic body loses nothing: it is stored as failed, with its bytes, and answered 2xx', async () => {
    const broken: Provider = {
      ...sandbox,
      parse: () => {
        throw new TypeError('cannot read x of undefined');
      },
    };
    const world = await startWorld({ sources: { shop: { provider: broken } } });
    const body = bodyOf();
    expect(await world.post(body)).toMatchObject({ status: 202, body: { status: 'accepted' } });
    expect(await world.post(body)).toMatchObject({ status: 202, body: { status: 'known' } });
    const [row] = await world.rows();
    expect(row).toMatchObject({
      outcome: 'failed',
      reason: expect.stringMatching(/^adapter: TypeError at verdicts\.test\.ts:\d+$/) as string,
    });
    expect(row?.settled_at).not.toBeNull();
    const [kept] = await world.store.query<{ body: Buffer }>('SELECT body FROM bodies');
    expect(kept?.body).toEqual(body);
    expect(world.log.some(({ level, msg }) => level === 'error' && String(msg).includes('adapter'))).toBe(
      true,
    );
  });

  it('while verifying trusts nobody: 500, nothing stored', async () => {
    const broken: Provider = {
      ...sandbox,
      verify: () => {
        throw new TypeError('no such curve');
      },
    };
    const world = await startWorld({ sources: { shop: { provider: broken } } });
    const answers = await Promise.all(Array.from({ length: 20 }, () => world.deliver()));
    for (const answer of answers) expect(answer).toMatchObject({ status: 500, body: { error: 'internal' } });
    expect(JSON.stringify(answers[0]?.body)).not.toContain('curve');
    expect(await world.rows()).toEqual([]);
    const lines = world.log.filter(({ level }) => level === 'error');
    expect(JSON.stringify(lines[0])).toContain('no such curve');
    expect(lines.length).toBeLessThan(answers.length);
  });
});

describe('an event whose outcome is known at the door', () => {
  it('is settled there, answered 2xx, and never offered to a workflow', async () => {
    const world = await startWorld({
      sources: {
        live: { mode: 'live' },
        archive: { unknownTypes: 'archive' },
        mapped: {
          types: {
            'payment.captured': () => {
              throw new Error('mapping is broken');
            },
          },
        },
      },
    });
    const deliveries: [string, Message, string, string][] = [
      ['live', { mode: 'test' }, 'foreign', 'other_mode'],
      ['archive', { type: 'payment.exploded' }, 'archived', 'type_unknown'],
      ['archive', { type: 'order.note_added' }, 'archived', 'type_unwanted'],
      ['archive', { type: 'order.shipped' }, 'ignored', 'not_in_machine'],
      ['mapped', {}, 'failed', expect.stringMatching(/^types: Error at verdicts\.test\.ts:\d+$/) as string],
    ];
    for (const [source, message] of deliveries) {
      expect(await world.deliver(message, source)).toMatchObject({
        status: 202,
        body: { status: 'accepted' },
      });
    }
    const rows = await world.rows();
    expect(rows.map(({ source, outcome, reason }) => [source, outcome, reason])).toEqual(
      deliveries.map(([source, , outcome, reason]) => [source, outcome, reason]),
    );
    expect(rows.every(({ taken_at, settled_at }) => taken_at !== null && settled_at !== null)).toBe(true);
    expect(await world.metric('inorder_dispatched_total')).toBe(0);
  });

  it('in a contiguous sequence still goes to its order, where its number counts', async () => {
    const world = await startWorld({ sources: { shop: { contract: 'sequence' } } });
    await world.deliver({ type: 'order.note_added', version: 2 });
    await world.deliver({ type: 'order.shipped', version: 3 });
    expect(await world.rows()).toMatchObject([
      { type: null, version: '2', outcome: null },
      { type: 'order.shipped', version: '3', outcome: null },
    ]);
  });
});

describe('the URL a scheme may sign', () => {
  const urls: string[] = [];
  const signsUrl: Provider = {
    ...sandbox,
    verify: (delivery, secrets, settings) => {
      urls.push(delivery.url);
      return sandbox.verify(delivery, secrets, settings);
    },
  };

  it('is INORDER_PUBLIC_URL with path and query as they came, or else what the Host says', async () => {
    for (const publicUrl of ['https://pay.example/in', null]) {
      const world = await startWorld({
        sources: { shop: { provider: signsUrl } },
        environment: { publicUrl },
      });
      const body = bodyOf();
      const headers = signed(body);
      await fetch(`${world.url}/webhooks/shop?a=%2F&b`, { method: 'POST', body, headers });
      expect(urls.at(-1)).toBe(`${publicUrl ?? world.url}/webhooks/shop?a=%2F&b`);
    }
  });
});
