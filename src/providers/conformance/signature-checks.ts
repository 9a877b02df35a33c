/** What the check of a signature must hold against (R1, R3). */
import assert from 'node:assert/strict';
import type { Secret } from '../provider.ts';
import { assertRefused, noise, NOW_MS, requestsOf } from './requests.ts';
import type { ConformanceCheck, ProviderWorld } from './world.ts';

const CONFIRMED = { secretId: 'a' };

export function signatureChecks(world: ProviderWorld): ConformanceCheck[] {
  const { requestOf, verify, sampleText } = requestsOf(world);
  const [secret, other] = world.secrets;
  const genuine = () => world.sign(Buffer.from(sampleText), secret, NOW_MS);

  return [
    {
      name: 'signature: a genuine delivery is confirmed, with the name of its secret',
      run: () => assert.deepEqual(verify(requestOf(sampleText)), CONFIRMED),
    },
    {
      name: 'signature: every single changed bit of the body is refused',
      run() {
        const body = Buffer.from(sampleText);
        const headers = genuine();
        for (let bit = 0; bit < body.length * 8; bit += 1) {
          const changed = Buffer.from(body);
          changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
          assertRefused(verify(requestOf(changed, headers)), `bit ${bit}`, 'signature_invalid');
        }
      },
    },
    {
      name: 'signature: a body with bytes added, taken away or gone is refused',
      run() {
        const headers = genuine();
        for (const changed of [`${sampleText}\n`, ` ${sampleText}`, sampleText.slice(0, -1), '']) {
          assertRefused(verify(requestOf(changed, headers)), changed, 'signature_invalid');
        }
      },
    },
    ...world.signedHeaders.map((name) => ({
      name: `signature: a changed, missing or repeated ${name} is refused`,
      run() {
        const headers = genuine();
        const value = headers[name] ?? '';
        assert.notEqual(value, '', `the world does not send ${name}`);
        for (let at = 0; at < value.length; at += 1) {
          const char = String.fromCharCode(value.charCodeAt(at) ^ 1);
          const changed = { ...headers, [name]: value.slice(0, at) + char + value.slice(at + 1) };
          assertRefused(verify(requestOf(sampleText, changed)), `character ${at} of ${name}`);
        }
        const rest = Object.fromEntries(Object.entries(headers).filter(([header]) => header !== name));
        assertRefused(verify(requestOf(sampleText, rest)), `no ${name}`);
        assertRefused(verify(requestOf(sampleText, { ...rest, [name]: '' })), `an empty ${name}`);
        const repeated = requestOf(sampleText, headers);
        repeated.headers[name] = ['something else', value];
        const verdict = verify(repeated);
        // A second signature may be a rotation's; a second value of anything signed is an attempt to confuse.
        if (name !== world.signatureHeader || !('secretId' in verdict))
          assertRefused(verdict, `${name} twice`);
      },
    })),
    {
      name: 'signature: a broken signature header is refused',
      run() {
        const headers = genuine();
        for (const broken of [
          ...world.brokenSignatures,
          ' ',
          ',',
          '='.repeat(8_000),
          '\u0000',
          'undefined',
        ]) {
          const changed = { ...headers, [world.signatureHeader]: broken };
          assertRefused(verify(requestOf(sampleText, changed)), JSON.stringify(broken).slice(0, 80));
        }
      },
    },
    {
      name: 'signature: any active secret confirms, and none after its end',
      run() {
        const rotating = (untilMs: number | null): Secret[] => [
          { id: 'new', value: other, untilMs: null },
          { id: 'old', value: secret, untilMs },
        ];
        const delivery = requestOf(sampleText);
        assert.deepEqual(verify(delivery, rotating(null)), { secretId: 'old' });
        assert.deepEqual(verify(delivery, rotating(NOW_MS + 1)), { secretId: 'old' });
        assertRefused(verify(delivery, rotating(NOW_MS)), 'at its end', 'signature_invalid');
        assertRefused(verify(delivery, rotating(NOW_MS).slice(0, 1)), 'another secret');
        assertRefused(verify(delivery, []), 'no secret');
      },
    },
    {
      name: 'signature: a secret whose file ended with a line break is the same secret',
      run() {
        for (const end of ['\n', '\r\n']) {
          const secrets = [{ id: 'a', value: `${secret}${end}`, untilMs: null }];
          assert.deepEqual(verify(requestOf(sampleText), secrets), CONFIRMED);
        }
      },
    },
    {
      name: 'signature: strangers get a refusal that holds no secret, and never an exception',
      run() {
        for (const bytes of noise(200)) {
          const text = bytes.toString('latin1');
          const headers = Object.fromEntries(
            world.signedHeaders.map((name, n) => [name, text.slice(n * 5, n * 5 + 20)]),
          );
          const verdict = verify(requestOf(bytes, headers));
          assertRefused(verdict, text);
          assert(!JSON.stringify(verdict).includes(secret), 'the refusal holds the secret');
        }
      },
    },
  ];
}
