import { createHash } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { bodyOf, SECRET, signed, startWorld } from './world.ts';

describe('a signed delivery', () => {
  it('[R5] is stored before it is answered 202', async () => {
    const stored: number[] = [];
    const world = await startWorld({
      at: async (point) => {
        if (point === 'receiver.stored') stored.push((await world.rows()).length);
      },
    });
    const answer = await world.deliver({ id: 'evt_1', order: '1001' });
    expect(answer).toMatchObject({ status: 202, body: { status: 'accepted' } });
    expect(stored).toEqual([1]);
    expect(await world.rows()).toMatchObject([
      { source: 'shop', event_id: 'evt_1', order_id: '1001', type: 'payment.captured', secret_id: 'a' },
    ]);
  });

  it('[R9] leaves all that is worth knowing of it: ids, mode, times to the microsecond, headers, bytes', async () => {
    const world = await startWorld({ sources: { shop: { mode: 'live' } } });
    const body = bodyOf({ id: 'evt_9', order: '1009', version: '18446744073709551617', mode: 'live' });
    const headers = {
      ...signed(body, { id: 'msg_9' }),
      authorization: 'Bearer do-not-keep',
      cookie: 'session=do-not-keep',
      'user-agent': 'sandbox/1',
    };
    const before = Date.now() - 1;
    expect((await world.post(body, headers)).status).toBe(202);

    const [row] = await world.store.query<Record<string, unknown>>('SELECT * FROM events');
    expect(row).toMatchObject({
      source: 'shop',
      environment: 'live',
      machine: 'order',
      mode: 'live',
      event_id: 'evt_9',
      delivery_id: 'msg_9',
      provider_type: 'payment.captured',
      type: 'payment.captured',
      order_id: '1009',
      object: 'payment:pi_1009',
      payment: 'pi_1009',
      version: '18446744073709551617',
      claimed_at: '2026-11-30T12:00:00.123456Z',
      secret_id: 'a',
      adapter_version: 1,
      attempts: 0,
      outcome: null,
    });
    expect(row?.['received_at']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    const receivedAtMs = Date.parse(`${String(row?.['received_at']).slice(0, 23)}Z`);
    expect(receivedAtMs).toBeGreaterThanOrEqual(before);
    expect(receivedAtMs).toBeLessThanOrEqual(Date.now());
    expect(row?.['fingerprint']).toEqual(createHash('sha256').update(body).digest());
    const kept = JSON.parse(String(row?.['headers'])) as Record<string, string>;
    expect(kept).toMatchObject({ 'user-agent': 'sandbox/1', 'webhook-id': 'msg_9' });
    expect(JSON.stringify(kept)).not.toContain('do-not-keep');
    const bodies = await world.store.query<{ body: Buffer }>('SELECT body FROM bodies');
    expect(bodies.map((stored) => stored.body)).toEqual([body]);
  });

  it('[R9] keeps the exact bytes, whatever a parser would make of them', async () => {
    const world = await startWorld();
    const body = Buffer.from(
      '\ufeff{ "id":"evt_1",\r\n "type": "payment.captured", "version": 1.0e0, "version" :7,' +
        ' "order":"1001", "object":{"kind":"payment","id":"a\\/b\\u0026c"}, "data":{"amount": 1.0} }\n',
    );
    expect((await world.post(body)).status).toBe(202);
    const [row] = await world.store.query<{ body: Buffer }>('SELECT body FROM bodies');
    expect(row?.body.equals(body)).toBe(true);
    expect(await world.rows()).toMatchObject([{ object: 'payment:a/b&c' }]);
  });

  it('[R12] keeps the bytes of identifiers: case, blanks, long numbers, any Unicode', async () => {
    const world = await startWorld();
    const ids = [
      'evt_1AbC',
      'evt_1aBc',
      ' 1',
      '1 ',
      '1',
      'ä',
      'a\u0308',
      '👍🏽',
      '\u0000',
      'ß',
      'ss',
      '%',
      "'",
    ];
    for (const id of ids) {
      expect(await world.deliver({ id, order: id, object: id })).toMatchObject({
        status: 202,
        body: { status: 'accepted' },
      });
    }
    const rows = await world.rows();
    expect(rows.map((row) => row.event_id)).toEqual(ids);
    expect(rows.map((row) => row.order_id)).toEqual(ids);
    expect(rows.map((row) => row.object)).toEqual(ids.map((id) => `payment:${id}`));
  });

  it('[R12] keeps two order numbers apart that are one number to JavaScript', async () => {
    const world = await startWorld();
    for (const order of ['8389766145050669870', '8389766145050669871']) {
      const body = Buffer.from(
        `{"id":"evt_${order}","type":"payment.captured","order":${order},"version":1,"object":{"kind":"payment","id":${order}}}`,
      );
      expect((await world.post(body)).status).toBe(202);
    }
    expect((await world.rows()).map((row) => row.order_id)).toEqual([
      '8389766145050669870',
      '8389766145050669871',
    ]);
  });

  it('[R12] is refused when an identifier cannot be kept as it is', async () => {
    const world = await startWorld();
    for (const order of ['', 'x'.repeat(256), '\ud800']) {
      expect(await world.deliver({ order })).toMatchObject({ status: 400, body: { error: 'field_invalid' } });
    }
    expect(await world.rows()).toEqual([]);
  });

  it('without an order is stored as unlinked', async () => {
    const world = await startWorld();
    expect((await world.deliver({ order: null, id: 'evt_1' })).status).toBe(202);
    expect(await world.rows()).toMatchObject([{ event_id: 'evt_1', order_id: null, outcome: 'unlinked' }]);
  });
});

describe('a repeated delivery', () => {
  it('[R7] is known, answered 2xx and recorded beside the first', async () => {
    const world = await startWorld();
    const body = bodyOf({ id: 'evt_1' });
    expect(await world.post(body, signed(body, { id: 'msg_1' }))).toMatchObject({
      body: { status: 'accepted' },
    });
    expect(await world.post(body, signed(body, { id: 'msg_2' }))).toMatchObject({
      status: 202,
      body: { status: 'known' },
    });
    expect(await world.rows()).toHaveLength(1);
    expect(await world.store.query('SELECT delivery_id FROM deliveries')).toEqual([{ delivery_id: 'msg_2' }]);
  });

  it('[R7] in the same millisecond, twenty at once, is one event', async () => {
    const world = await startWorld();
    const body = bodyOf({ id: 'evt_1' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => world.post(body, signed(body))));
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 20 }, () => 202));
    expect(answers.filter(({ body: { status } }) => status === 'accepted')).toHaveLength(1);
    expect(await world.rows()).toHaveLength(1);
  });

  it('[R7] wakes an event that nobody has taken, and leaves a taken one alone', async () => {
    const world = await startWorld({ environment: { temporalAddress: '127.0.0.1:1' } });
    const offered = () => world.metric('inorder_dispatched_total');
    const body = bodyOf({ id: 'evt_1' });
    await world.post(body, signed(body));
    await expect.poll(offered, { timeout: 10_000 }).toBe(1);
    await world.post(body, signed(body));
    await expect.poll(offered, { timeout: 10_000 }).toBe(2);

    await world.store.write('UPDATE events SET taken_at = UTC_TIMESTAMP(6)');
    expect((await world.post(body, signed(body))).body.status).toBe('known');
    await world.deliver({ id: 'evt_2' });
    // Offers are counted in their order: had the taken one been offered, this would pass three on its way.
    await expect.poll(offered, { timeout: 10_000 }).toBe(3);
    await world.deliver({ id: 'evt_3' });
    await expect.poll(offered, { timeout: 10_000 }).toBe(4);
  });

  it('[R8] with other news under the same id is a conflict: both are kept', async () => {
    const world = await startWorld();
    await world.deliver({ id: 'evt_1', version: 1 });
    expect(await world.deliver({ id: 'evt_1', version: 2 })).toMatchObject({
      status: 202,
      body: { status: 'accepted' },
    });
    const rows = await world.rows();
    expect(rows).toHaveLength(2);
    expect(rows[1]).toMatchObject({ version: '2', conflict_of: rows[0]?.seq });
    expect(rows[1]?.event_id).not.toBe('evt_1');
  });

  it('[R8] keeps event id and delivery id apart: one event, three deliveries', async () => {
    const world = await startWorld();
    const body = bodyOf({ id: 'evt_1' });
    for (const id of ['msg_1', 'msg_2', 'msg_3']) await world.post(body, signed(body, { id }));
    expect(await world.store.query('SELECT event_id, delivery_id FROM events')).toEqual([
      { event_id: 'evt_1', delivery_id: 'msg_1' },
    ]);
    expect(await world.store.query('SELECT delivery_id FROM deliveries ORDER BY receipt')).toEqual([
      { delivery_id: 'msg_2' },
      { delivery_id: 'msg_3' },
    ]);
  });
});

describe('secrets', () => {
  const old = 'whsec_b2xkLXNlY3JldC1mb3ItdGVzdHMtMDAwMQ==';

  it('[R3] rotate: several are active, and the record says which one confirmed a delivery', async () => {
    const secrets = [
      { id: '2026-11', value: SECRET },
      { id: '2025-03', value: old },
    ];
    const world = await startWorld({ sources: { shop: { secrets } } });
    for (const secret of [SECRET, old]) {
      const body = bodyOf();
      expect((await world.post(body, signed(body, { secret }))).status).toBe(202);
    }
    expect((await world.rows()).map((row) => row.secret_id)).toEqual(['2026-11', '2025-03']);
  });

  it('[R3] end: after its instant a secret confirms nothing', async () => {
    const secrets = [
      { id: 'new', value: SECRET },
      { id: 'old', value: old, until: '2026-01-01T00:00:00Z' },
    ];
    const world = await startWorld({ sources: { shop: { secrets } } });
    const body = bodyOf();
    expect(await world.post(body, signed(body, { secret: old }))).toMatchObject({
      status: 401,
      body: { error: 'signature_invalid' },
    });
  });

  it('[R3] lose the line break they were stored with', async () => {
    const world = await startWorld({ sources: { shop: { secrets: [{ id: 'a', value: `${SECRET}\n` }] } } });
    expect((await world.deliver()).status).toBe(202);
  });
});
