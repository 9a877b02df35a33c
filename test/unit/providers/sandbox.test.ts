import { describe, expect, it } from 'vitest';
import type { ApiClient, RawDelivery } from '../../../src/providers/provider.ts';
import { sandbox } from '../../../src/providers/sandbox.ts';
import { describeConformance } from './conformance.ts';
import { sandboxWorld } from './worlds.ts';

const { settings } = sandboxWorld;
const sample = () => sandboxWorld.sample() as { data: Record<string, unknown> };

describeConformance(sandboxWorld);

describe('sandbox: events', () => {
  const parse = (body: unknown) => {
    const delivery: RawDelivery = {
      source: 'sandbox',
      headers: { 'webhook-id': ['msg_9'] },
      body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      url: '',
      receivedAtMs: 0,
    };
    return sandbox.parse(delivery, settings)[0];
  };

  it('is about a stream of its own, and a payment is its own bearer', () => {
    expect(parse(sample())).toMatchObject({
      eventId: 'evt_1',
      deliveryId: 'msg_9',
      object: 'payment:pay_1',
      payment: 'pay_1',
      order: '1042',
      refs: ['payment:pay_1'],
      version: '3',
      createdAt: '2026-11-30T10:00:00.123Z',
      claimedAt: '2026-11-30T10:00:00.123Z',
    });
  });

  it('names the payment of a dispute, so that the dispute finds its order', () => {
    const dispute = {
      ...sample(),
      order: undefined,
      object: { kind: 'dispute', id: 'dp_1', payment: 'pay_1' },
    };
    expect(parse(dispute)).toMatchObject({ payment: 'pay_1', refs: ['dispute:dp_1', 'payment:pay_1'] });
    expect(parse(dispute)).not.toHaveProperty('order');
  });

  it('keeps a version of any size to the last digit', () => {
    const text = JSON.stringify(sample()).replace('"version":3', '"version":12345678901234567890');
    expect(parse(text)).toMatchObject({ version: '12345678901234567890' });
    for (const version of ['-1', '1e3', '0x10', '1.0', ' 1']) {
      expect(parse({ ...sample(), version })).toMatchObject({ refused: 'field_invalid' });
    }
  });

  it('drops from the facts whatever is not on its list or too long', () => {
    const body = { ...sample(), data: { ...sample().data, carrier: 'x'.repeat(201) } };
    expect(parse(body)).toMatchObject({
      facts: { refund: 're_1', amount: '500', currency: 'EUR', reason: 'https://shop.example/r/1' },
    });
    expect(JSON.stringify(parse(body))).not.toMatch(/Ada|4242|xxx/);
  });
});

describe('sandbox: answers of its API', () => {
  const answering = (body: unknown): ApiClient & { paths: string[] } => {
    const paths: string[] = [];
    return {
      paths,
      get: (path) => {
        paths.push(path);
        return Promise.resolve(
          body === undefined ? { status: 'gone' as const } : { status: 'ok' as const, body },
        );
      },
    };
  };
  const answer = () => ({
    object: 'payment:p/1',
    type: 'payment.refunded',
    version: 4,
    payment: 'p/1',
    order: '1042',
    data: { refund: 're_2', amount: '700' },
    refunds: [{ type: 'payment.partially_refunded', data: { refund: 're_1', amount: '500', iban: 'x' } }],
  });

  it('become a snapshot with version, facts and each refund', async () => {
    const api = answering(answer());
    expect(await sandbox.fetch?.(api, 'payment:p/1', settings)).toEqual({
      type: 'payment.refunded',
      providerType: 'payment.refunded',
      version: '4',
      payment: 'p/1',
      order: '1042',
      facts: { refund: 're_2', amount: '700' },
      parts: [{ type: 'payment.partially_refunded', facts: { refund: 're_1', amount: '500' } }],
      body: answer(),
    });
    expect(api.paths).toEqual(['/objects/payment%3Ap%2F1']);
  });

  it.each([
    ['payment.processing', null],
    ['constructor', undefined],
  ])("of the type %s leave its meaning to the source's own map", async (providerType, type) => {
    const read = await sandbox.fetch?.(
      answering({ ...answer(), type: providerType }),
      'payment:p/1',
      settings,
    );
    expect(read).toMatchObject({ type, providerType });
  });

  it('about a payment are borne by it, though they do not name it', async () => {
    const read = await sandbox.fetch?.(
      answering({ ...answer(), payment: undefined }),
      'payment:p/1',
      settings,
    );
    expect(read).toMatchObject({ payment: 'p/1' });
  });

  it('that the object is gone are handed on', async () => {
    expect(await sandbox.fetch?.(answering(undefined), 'payment:p/1', settings)).toBe('gone');
    expect(await sandbox.find?.(answering(undefined), '1042', settings)).toEqual([]);
  });

  it.each([
    ['about another object', { ...answer(), object: 'payment:p2' }],
    ['without a type', { ...answer(), type: undefined }],
    ['without a version', { ...answer(), version: undefined }],
    ['with half a version', { ...answer(), version: 1.5 }],
    ['with refunds that are no list', { ...answer(), refunds: {} }],
    ['with a refund that is nothing', { ...answer(), refunds: [null] }],
    ['that are a page', '<html>'],
    ['that are nothing', null],
  ])('%s are no answers', async (_what, body) => {
    await expect(sandbox.fetch?.(answering(body), 'payment:p/1', settings)).rejects.toThrow(
      /sandbox: the API/,
    );
  });

  it('list the objects of an order', async () => {
    const api = answering({ objects: ['order:1042', 'payment:p1'] });
    expect(await sandbox.find?.(api, '10/42', settings)).toEqual(['order:1042', 'payment:p1']);
    expect(api.paths).toEqual(['/orders/10%2F42']);
    await expect(sandbox.find?.(answering({ objects: [1] }), '1', settings)).rejects.toThrow(
      /list of objects/,
    );
  });
});
