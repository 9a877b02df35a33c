import { describe, expect, it } from 'vitest';

import { bodyOf, signed, startWorld } from './world.ts';

describe('a signed delivery', () => {
  it('[R5] is stored before it is answered 202', async () => {
    const world = await startWorld();
    const answer = await world.deliver({ id: 'evt_1', order: '1001' });
    expect(answer).toMatchObject({ status: 202, body: { status: 'accepted' } });
    expect(await world.rows()).toMatchObject([
      { source: 'shop', event_id: 'evt_1', order_id: '1001', type: 'payment.captured', secret_id: 'a' },
    ]);
  });

  it('[R1] with a changed byte is refused with 401 and never becomes an event', async () => {
    const world = await startWorld();
    const body = bodyOf();
    const headers = signed(body);
    const forged = Buffer.from(body);
    forged[10] = (forged[10] ?? 0) ^ 1;
    expect(await world.post(forged, headers)).toMatchObject({
      status: 401,
      body: { error: 'signature_invalid' },
    });
    expect(await world.rows()).toEqual([]);
    expect(await world.metric('inorder_refused_total', { source: 'shop', reason: 'signature_invalid' })).toBe(
      1,
    );
  });
});
