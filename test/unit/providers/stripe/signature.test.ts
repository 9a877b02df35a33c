import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { Stripe } from 'stripe';
import { describe, expect, it } from 'vitest';
import type { RawDelivery, Secret } from '../../../../src/providers/provider.ts';
import { SIGNATURE_HEADER, verifyStripe } from '../../../../src/providers/stripe/signature.ts';

interface Vector {
  id: string;
  from: string;
  what: string;
  secret: string;
  headers: Record<string, string>;
  body: string;
  nowSeconds: number;
  toleranceSeconds: number;
  valid: boolean;
}

const vectors = JSON.parse(
  readFileSync(new URL('../../../vectors/stripe.json', import.meta.url), 'utf8'),
) as Vector[];

const NOW_SECONDS = 1_764_500_000;
const SECRET = 'whsec_nFq1T5hF8AzqTSN5c0nSU1Nw0cQKV2oE';
const TOLERANCE_SECONDS = 300;
/** Stripe's own package, as the judge of ours. */
const { webhooks } = new Stripe('sk_test_nothing_is_sent');
const judge = webhooks.signature as NonNullable<typeof webhooks.signature>;

const deliveryOf = (
  body: Buffer | string,
  header: string | string[],
  nowSeconds = NOW_SECONDS,
): RawDelivery => ({
  source: 'stripe',
  headers: { [SIGNATURE_HEADER]: [header].flat() },
  body: Buffer.from(body),
  url: '',
  receivedAtMs: nowSeconds * 1_000,
});
const only = (value: string): Secret[] => [{ id: 'a', value, untilMs: null }];
const verify = (delivery: RawDelivery, secrets = only(SECRET), toleranceSeconds = TOLERANCE_SECONDS) =>
  verifyStripe(delivery, secrets, toleranceSeconds * 1_000);
const sign = (payload: string, secret = SECRET, timestamp = NOW_SECONDS): string =>
  webhooks.generateTestHeaderString({ payload, secret, timestamp });

describe('published vectors', () => {
  it.each(vectors)('$id: $what', ({ body, headers, secret, nowSeconds, toleranceSeconds, valid }) => {
    const delivery = deliveryOf(body, headers[SIGNATURE_HEADER] as string, nowSeconds);
    const verdict = verify(delivery, only(secret), toleranceSeconds);
    expect('secretId' in verdict, JSON.stringify(verdict)).toBe(valid);
  });
});

describe('beside the official package', () => {
  /** What the package says, and how: only its refusals count, not its parsing of the body. */
  const theirs = (body: string, header: string, secret: string): boolean => {
    try {
      return judge.verifyHeader(body, header, secret, TOLERANCE_SECONDS, undefined, NOW_SECONDS * 1_000);
    } catch {
      return false;
    }
  };
  const ours = (body: string, header: string, secret: string): boolean =>
    'secretId' in verify(deliveryOf(body, header), only(secret));
  const secrets = fc.stringMatching(/^(whsec_)?[A-Za-z0-9+/=_-]{1,40}$/);
  // Half a character has no bytes of its own.
  const bodies = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 });

  it('takes whatever it signs, and refuses it under another secret or with another body', () => {
    fc.assert(
      fc.property(bodies, secrets, secrets, (body, secret, other) => {
        const header = sign(body, secret);
        expect(ours(body, header, secret)).toBe(true);
        expect(theirs(body, header, secret)).toBe(true);
        expect(ours(`${body} `, header, secret)).toBe(false);
        expect(ours(body, header, other)).toBe(secret === other);
      }),
    );
  });

  it('agrees on headers of any shape, as long as the time is not ahead', () => {
    const age = fc.integer({ min: 0, max: 2 * TOLERANCE_SECONDS });
    // No `v1` without a value: the package fails on it, whatever else is in the header.
    const junk = fc.constantFrom('v0=aa', 'v1=zz', 'foo', '', 'v1=e30', `v1=${'0'.repeat(64)}`);
    fc.assert(
      fc.property(
        bodies,
        secrets,
        age,
        fc.array(junk),
        fc.array(junk),
        (body, secret, seconds, before, after) => {
          const [time, ...rest] = sign(body, secret, NOW_SECONDS - seconds).split(',');
          const header = [time, ...before, ...rest, ...after].join(',');
          expect(ours(body, header, secret)).toBe(theirs(body, header, secret));
          const unsigned = [time, ...before, ...after].join(',');
          expect(ours(body, unsigned, secret)).toBe(theirs(body, unsigned, secret));
        },
      ),
    );
  });

  it('reads as the event what the package reads', () => {
    const body = JSON.stringify({ id: 'evt_1', object: 'event', type: 'payment_intent.succeeded' });
    const event = webhooks.constructEvent(
      body,
      sign(body),
      SECRET,
      TOLERANCE_SECONDS,
      undefined,
      NOW_SECONDS * 1_000,
    );
    expect(event.id).toBe('evt_1');
    expect(ours(body, sign(body), SECRET)).toBe(true);
  });
});

describe('the clock', () => {
  const at = (offsetSeconds: number) =>
    verify(deliveryOf('{}', sign('{}', SECRET, NOW_SECONDS + offsetSeconds)));

  it('is watched on both sides, where the package watches one', () => {
    for (const inside of [0, 300, -300]) expect(at(inside)).toEqual({ secretId: 'a' });
    for (const outside of [301, -301, 86_400])
      expect(at(outside)).toMatchObject({ refused: 'timestamp_outside' });
    expect(
      judge.verifyHeader(
        '{}',
        sign('{}', SECRET, NOW_SECONDS + 86_400),
        SECRET,
        TOLERANCE_SECONDS,
        undefined,
        NOW_SECONDS * 1_000,
      ),
    ).toBe(true);
  });

  it('has a unit: milliseconds and other numbers are refused by name', () => {
    const hex = sign('{}').split('v1=')[1] as string;
    for (const time of [`${NOW_SECONDS}000`, '1.5', '0x6', '-1', '1e9', '0']) {
      expect(verify(deliveryOf('{}', `t=${time},v1=${hex}`)), time).toMatchObject({
        refused: 'timestamp_unit',
      });
    }
    for (const header of [`v1=${hex}`, `t=,v1=${hex}`, 'bad_header']) {
      expect(verify(deliveryOf('{}', header)), header).toMatchObject({ refused: 'timestamp_missing' });
    }
  });
});

describe('the header', () => {
  it('may hold signatures of several secrets, and may be repeated', () => {
    const [time, mine] = sign('{}').split(',') as [string, string];
    const [, other] = sign('{}', 'whsec_other').split(',') as [string, string];
    for (const header of [
      `${time},${other},${mine}`,
      `${time},${mine},${other}`,
      `${time}, ${other}, ${mine}`,
      `${mine},${time}`,
      [`${time},${other}`, `${time},${mine}`],
    ]) {
      expect(verify(deliveryOf('{}', header)), String(header)).toEqual({ secretId: 'a' });
    }
  });

  it('may not hold two times: which one is signed would be the sender’s choice', () => {
    const header = `t=${NOW_SECONDS - 1},${sign('{}')}`;
    expect(verify(deliveryOf('{}', header))).toMatchObject({ refused: 'signature_invalid' });
  });

  it('is refused as missing when it is not there or empty', () => {
    for (const header of [[], '', ' ', ['', '']]) {
      expect(verify(deliveryOf('{}', header))).toMatchObject({ refused: 'signature_missing' });
    }
  });

  it('is compared as text: digits in upper case are another spelling, and the package refuses them too', () => {
    const header = sign('{}').replace(/v1=.*/, (v1) => v1.toUpperCase().replace('V1', 'v1'));
    expect(verify(deliveryOf('{}', header))).toMatchObject({ refused: 'signature_invalid' });
  });

  it('confirms nothing by an empty secret', () => {
    expect(verify(deliveryOf('{}', sign('{}')), only('\n'))).toMatchObject({ refused: 'signature_invalid' });
  });
});
