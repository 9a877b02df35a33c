import { afterEach, describe, expect, it } from 'vitest';
import {
  startEffectReceiver,
  type BadMoments,
  type EffectReceiver,
} from '../../../../src/dev/traffic/effect-receiver.ts';
import { signStandardWebhook } from '../../../../src/providers/standard-webhooks-signature.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const GOOD: BadMoments = { refuses: 0, slow: 0, doesAndIsSilent: 0, doesAndAnswers500: 0 };

describe('the receiver of effects', () => {
  let receiver: EffectReceiver;
  afterEach(() => receiver.close());
  const start = async (moments: Partial<BadMoments> = {}) => {
    receiver = await startEffectReceiver({ secret: SECRET, seed: '1', badMoments: { ...GOOD, ...moments } });
  };
  const bodyOf = (effect: string, facts = {}, type = 'payment.captured') =>
    JSON.stringify({ effect, order: { id: 'A-1' }, cause: { type }, facts });
  const call = async (key: string, body: string, secret = SECRET) => {
    const timestampSeconds = Math.floor(Date.now() / 1000);
    const response = await fetch(`${receiver.url}/effects`, {
      method: 'POST',
      headers: {
        'idempotency-key': key,
        ...signStandardWebhook(secret, { id: key, timestampSeconds, body }),
      },
      body,
    });
    return response.status;
  };

  it('does each key once, however often it is called', async () => {
    await start();
    const body = bodyOf('fulfil');
    expect(await Promise.all([call('k1', body), call('k1', body), call('k1', body)])).toEqual([
      200, 200, 200,
    ]);
    expect(receiver.done).toEqual([{ key: 'k1', name: 'fulfil', order: 'A-1', of: null }]);
    expect(receiver.calls).toBe(3);
    expect(receiver.offences).toEqual([]);
  });

  it('tells refunds and alerts of one order apart by what they are about', async () => {
    await start();
    await call('k1', bodyOf('bookRefund', { refund: 're_1' }));
    await call('k2', bodyOf('alertFinance', {}, 'dispute.opened'));
    expect(receiver.done.map(({ of }) => of)).toEqual(['re_1', 'dispute.opened']);
  });

  it('shows one effect under two keys as done twice', async () => {
    await start();
    await call('k1', bodyOf('fulfil'));
    await call('k2', bodyOf('fulfil'));
    expect(receiver.done.map(({ key }) => key)).toEqual(['k1', 'k2']);
  });

  it('holds another body under a known key, a wrong secret and no effect against the sender', async () => {
    await start();
    await call('k1', bodyOf('fulfil'));
    await call('k1', bodyOf('fulfil', { amount: '2' }));
    expect(await call('k2', bodyOf('fulfil'), 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD')).toBe(401);
    expect(await call('k3', '{}')).toBe(401);
    expect(receiver.offences).toHaveLength(3);
    expect(receiver.done).toHaveLength(1);
  });

  it('refuses first and does it when it is called again', async () => {
    await start({ refuses: 1 });
    expect(await call('k1', bodyOf('fulfil'))).toBe(503);
    expect(receiver.done).toHaveLength(0);
    expect(await call('k1', bodyOf('fulfil'))).toBe(200);
    expect(receiver.done).toHaveLength(1);
  });

  it('does what it is told and dies before it says so, and does not do it again', async () => {
    await start({ doesAndIsSilent: 1 });
    await expect(call('k1', bodyOf('fulfil'))).rejects.toThrow('fetch failed');
    expect(await call('k1', bodyOf('fulfil'))).toBe(200);
    expect(receiver.done).toHaveLength(1);
  });
});
