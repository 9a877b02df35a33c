/** Stripe: `t=<seconds>,v1=<hex of HMAC-SHA256 over t.body>`; the whole text of the secret is the key. */
import type { RawDelivery } from '../providers/provider.ts';
import type { Scheme } from './scheme.ts';
import { keysFrom } from './signing-mistakes.ts';

const HEADER = 'stripe-signature';

function fieldsOf(delivery: RawDelivery): [name: string, value: string][] {
  return (delivery.headers[HEADER] ?? [])
    .join(',')
    .split(',')
    .map((part) => {
      const at = part.indexOf('=');
      return at < 0 ? ['', part.trim()] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
    });
}
const timeOf = (delivery: RawDelivery): string =>
  fieldsOf(delivery).find(([name]) => name === 't')?.[1] ?? '';

export const stripeScheme: Scheme = {
  looks: 'stripe-signature: t=1700000000,v1=<64 hexadecimal digits>[,v1=…]',

  signedAtSeconds(delivery) {
    const time = timeOf(delivery);
    return /^\d{1,12}$/.test(time) ? Number(time) : null;
  },

  oddHeaders(delivery) {
    if ((delivery.headers[HEADER] ?? []).join('').trim() === '') {
      return ['there is no stripe-signature: is it a webhook of Stripe, and does a proxy take headers away?'];
    }
    const odd: string[] = [];
    const names = new Set(fieldsOf(delivery).map(([name]) => name));
    if (!names.has('t')) odd.push('stripe-signature has no t=, the time that was signed');
    if (!names.has('v1')) {
      odd.push(
        names.has('v0')
          ? 'stripe-signature has v0 only, which proves nothing; v1 is needed'
          : 'stripe-signature has no v1=',
      );
    }
    for (const [name, value] of fieldsOf(delivery)) {
      if (name === 'v1' && !/^[0-9a-f]{64}$/.test(value)) {
        odd.push(`a v1 of ${value.length} characters; it has to be 64 hexadecimal digits in lower case`);
      }
    }
    return odd;
  },

  oddSecret(secret) {
    if (/^(?:sk|rk|pk)_/.test(secret)) {
      return "it is an API key; the endpoint's signing secret is another one and begins with whsec_";
    }
    if (/^(?:we|acct|evt)_/.test(secret))
      return 'it is an id of an object of Stripe; the signing secret begins with whsec_';
    return secret.startsWith('whsec_') ? null : 'signing secrets of Stripe begin with whsec_';
  },

  signings(delivery, secret) {
    const given = fieldsOf(delivery).flatMap(([name, value]) =>
      name !== 't' && value.length >= 27 ? [value] : [],
    );
    if (given.length === 0) return null;
    const over = (prefix: string): Buffer => Buffer.concat([Buffer.from(prefix), delivery.body]);
    return {
      given,
      encoding: 'hex',
      keys: keysFrom(secret, 'as it is'),
      contents: [
        { mistake: null, value: over(`${timeOf(delivery)}.`) },
        { mistake: 'made over the body alone; it has to be <t>.<body>', value: over('') },
      ],
    };
  },
};
