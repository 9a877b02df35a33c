/** Amounts of any size, in any mixture of refunds: the answer about a payment is what is left of the money. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJsonText } from '../../../../src/providers/json.ts';
import type { ProviderSnapshot } from '../../../../src/providers/provider.ts';
import { stripe } from '../../../../src/providers/stripe/stripe.ts';
import { charge, intent, refund, settings } from './objects.ts';

/** Whole numbers as JSON writes them, also beyond what a double holds. */
const json = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `@${part}@` : part)).replaceAll(
    /"@(\d+)@"/g,
    '$1',
  );

async function answerTo(changes: Record<string, unknown>, refunds: unknown[]): Promise<ProviderSnapshot> {
  const list = { object: 'list', data: refunds, has_more: false };
  const body = parseJsonText(json(intent({ latest_charge: charge({ ...changes, refunds: list }) })));
  const api = { get: () => Promise.resolve({ status: 'ok' as const, body }) };
  return (await stripe.fetch?.(api, 'payment:pi_1', settings)) as ProviderSnapshot;
}

const amount = fc.bigInt({ min: 1n, max: 10n ** 30n });
const status = fc.constantFrom('succeeded', 'pending', 'requires_action', 'failed', 'canceled');

describe('an answer about money', () => {
  it('says refunded, in part, kept or a refund failed, to the last unit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ amount, status }), { maxLength: 10 }),
        fc.bigInt({ min: 0n, max: 10n ** 30n }),
        async (given, rest) => {
          const isUndone = (one: { status: string }) => one.status === 'failed' || one.status === 'canceled';
          const back = given.filter((one) => !isUndone(one)).reduce((sum, one) => sum + one.amount, 0n);
          const captured = back + rest + 1n;
          const refunds = given.map((one, n) => refund({ ...one, id: `re_${n}` })).reverse();
          const money = { amount: captured, amount_captured: captured, amount_refunded: back };
          const answer = await answerTo(money, refunds);
          const lastUndone = given.findLastIndex(isUndone);
          if (back > 0n) {
            expect(answer).toMatchObject({
              type: 'payment.partially_refunded',
              facts: { captured: String(captured), refunded: String(back) },
            });
          } else if (lastUndone >= 0) {
            expect(answer).toMatchObject({ type: 'refund.failed', facts: { refund: `re_${lastUndone}` } });
          } else expect(answer.type).toBe('payment.captured');
          // Each refund by its own amount, the oldest first; one that failed is told twice.
          const made = answer.parts?.filter(({ type }) => type === 'payment.partially_refunded') ?? [];
          expect(made.map(({ facts }) => [facts['refund'], facts['amount']])).toEqual(
            given.map((one, n) => [`re_${n}`, String(one.amount)]),
          );
          expect(answer.parts?.length).toBe(given.length + given.filter(isUndone).length);
        },
      ),
    );
  });

  it('says refunded when nothing is left, also of less than was reserved', async () => {
    await fc.assert(
      fc.asyncProperty(amount, fc.bigInt({ min: 0n, max: 10n ** 30n }), async (captured, released) => {
        const whole = captured + released;
        const refunds = [refund({ amount: captured, id: 're_2' })];
        if (released > 0n && released !== captured) refunds.push(refund({ amount: released, id: 're_1' }));
        const isCounted = refunds.length === 2;
        const answer = await answerTo(
          {
            amount: isCounted ? whole : captured,
            amount_captured: captured,
            amount_refunded: isCounted ? whole : captured,
          },
          refunds,
        );
        expect(answer).toMatchObject({
          type: 'payment.refunded',
          facts: { captured: String(captured), refunded: String(captured) },
        });
        expect(answer.parts?.map(({ facts }) => facts['refund'])).toEqual(['re_2']);
      }),
    );
  });

  it('does not count a refund that failed, though the charge’s sum still may', async () => {
    const failed = refund({ status: 'failed', amount: 2_500 });
    expect(await answerTo({ amount_refunded: 2_500 }, [failed])).toMatchObject({ type: 'refund.failed' });
  });
});

describe('an event about money', () => {
  it('keeps every digit of an amount', () => {
    fc.assert(
      fc.property(amount, fc.bigInt({ min: 1n, max: 10n ** 30n }), (refunded, rest) => {
        const money = {
          amount: refunded + rest,
          amount_captured: refunded + rest,
          amount_refunded: refunded,
        };
        const body = json({
          id: 'evt_1',
          object: 'event',
          type: 'charge.refunded',
          data: { object: charge(money) },
        });
        const delivery = { source: 'stripe', headers: {}, body: Buffer.from(body), url: '', receivedAtMs: 0 };
        expect(stripe.parse(delivery, settings)).toMatchObject([
          {
            type: 'payment.partially_refunded',
            facts: { captured: String(refunded + rest), refunded: String(refunded) },
          },
        ]);
      }),
    );
  });
});
