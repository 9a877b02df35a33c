/**
 * What every provider's adapter must do, whatever its scheme. A provider's test describes its world (how it signs,
 * one good event, where its fields are) and runs this suite over it. Nothing in here knows a scheme.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  ParsedEvent,
  Provider,
  RawDelivery,
  Refusal,
  Secret,
  SourceSettings,
} from '../../../src/providers/provider.ts';
import { isRefusal } from '../../../src/providers/provider.ts';

export interface ProviderWorld {
  provider: Provider;
  settings: SourceSettings;
  /** Two secrets of the scheme's form. */
  secrets: [string, string];
  /** The headers of a genuine request over these bytes. */
  sign(body: Buffer, secret: string, nowMs: number): Record<string, string>;
  /** Header names whose values are under the signature or are it: each changed byte must be refused. */
  signedHeaders: string[];
  /** Values of the signature header that nobody may take for one. */
  brokenSignatures: string[];
  /** One good event, as the provider writes it. */
  sample(): Record<string, unknown>;
  /** Dot paths without which there is no event. */
  requiredPaths: string[];
  /** Dot paths of identifiers, with how the parsed event shows them. */
  ids: { path: string; shown(event: ParsedEvent): string | undefined }[];
  typePath: string;
}

const NOW_MS = 1_764_500_000_000;
const NEUTRAL_TYPES = new Set([
  ...['created', 'updated', 'confirmed', 'shipped', 'delivered', 'cancelled', 'expired'].map(
    (w) => `order.${w}`,
  ),
  ...['authorized', 'partially_captured', 'captured', 'failed', 'cancelled'].map((w) => `payment.${w}`),
  ...['payment.partially_refunded', 'payment.refunded', 'refund.failed'],
  ...['dispute.opened', 'dispute.won', 'dispute.lost'],
]);

export function describeConformance(world: ProviderWorld): void {
  const { provider, settings } = world;
  const [secret, other] = world.secrets;
  const active: Secret[] = [{ id: 'a', value: secret, untilMs: null }];

  const requestOf = (body: Buffer | string, headers?: Record<string, string>): RawDelivery => {
    const bytes = Buffer.from(body);
    const all = headers ?? world.sign(bytes, secret, NOW_MS);
    return {
      source: settings.name,
      headers: Object.fromEntries(Object.entries(all).map(([name, value]) => [name.toLowerCase(), [value]])),
      body: bytes,
      url: `https://inorder.example/webhooks/${settings.name}`,
      receivedAtMs: NOW_MS,
    };
  };
  const verify = (delivery: RawDelivery, secrets = active) => provider.verify(delivery, secrets, settings);
  const parse = (body: Buffer | string) => provider.parse(requestOf(body), settings);
  const parseOne = (body: Buffer | string): ParsedEvent => {
    const [event, ...more] = parse(body);
    expect(more).toEqual([]);
    if (event === undefined || isRefusal(event)) throw new Error(`refused: ${JSON.stringify(event)}`);
    return event;
  };
  const refusalOf = (body: Buffer | string): Refusal['refused'] | null => {
    const [verdict] = parse(body);
    return verdict !== undefined && isRefusal(verdict) ? verdict.refused : null;
  };
  const sampleText = () => JSON.stringify(world.sample());

  describe(`${provider.name}: signature`, () => {
    it('confirms a genuine delivery and names the secret', () => {
      expect(verify(requestOf(sampleText()))).toEqual({ secretId: 'a' });
    });

    it('refuses every single changed byte of the body', () => {
      const body = Buffer.from(sampleText());
      const headers = world.sign(body, secret, NOW_MS);
      for (let at = 0; at < body.length; at++) {
        const changed = Buffer.from(body);
        changed[at] = (changed[at] as number) ^ 1;
        expect(verify(requestOf(changed, headers)), `byte ${at}`).toMatchObject({
          refused: 'signature_invalid',
        });
      }
    });

    it('refuses a body with bytes added, taken away or gone', () => {
      const body = sampleText();
      const headers = world.sign(Buffer.from(body), secret, NOW_MS);
      for (const changed of [`${body}\n`, ` ${body}`, body.slice(0, -1), '']) {
        expect(verify(requestOf(changed, headers))).toMatchObject({ refused: 'signature_invalid' });
      }
    });

    it.each(world.signedHeaders)('refuses every changed, missing or repeated %s', (name) => {
      const headers = world.sign(Buffer.from(sampleText()), secret, NOW_MS);
      const value = headers[name] as string;
      for (let at = 0; at < value.length; at++) {
        const char = String.fromCharCode(value.charCodeAt(at) ^ 1);
        const changed = { ...headers, [name]: value.slice(0, at) + char + value.slice(at + 1) };
        expect(verify(requestOf(sampleText(), changed)), `character ${at}`).toHaveProperty('refused');
      }
      const rest = Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name));
      expect(verify(requestOf(sampleText(), rest))).toHaveProperty('refused');
      const repeated = requestOf(sampleText(), headers);
      repeated.headers[name] = ['something else', value];
      const verdict = verify(repeated);
      // A second signature may be a rotation's; a second value of anything signed is an attempt to confuse.
      if (!('secretId' in verdict && name.includes('signature'))) expect(verdict).toHaveProperty('refused');
    });

    it.each(world.brokenSignatures)('refuses the signature %j', (broken) => {
      const headers = world.sign(Buffer.from(sampleText()), secret, NOW_MS);
      const name = world.signedHeaders.find((header) => header.includes('signature')) as string;
      expect(verify(requestOf(sampleText(), { ...headers, [name]: broken }))).toHaveProperty('refused');
    });

    it('takes any active secret, and none after its end', () => {
      const rotating = (untilMs: number | null): Secret[] => [
        { id: 'new', value: other, untilMs: null },
        { id: 'old', value: secret, untilMs },
      ];
      const delivery = requestOf(sampleText());
      expect(verify(delivery, rotating(null))).toEqual({ secretId: 'old' });
      expect(verify(delivery, rotating(NOW_MS + 1))).toEqual({ secretId: 'old' });
      expect(verify(delivery, rotating(NOW_MS))).toMatchObject({ refused: 'signature_invalid' });
      expect(verify(delivery, [{ id: 'new', value: other, untilMs: null }])).toHaveProperty('refused');
      expect(verify(delivery, [])).toHaveProperty('refused');
    });

    it('takes a secret whose file ended with a line break', () => {
      const secrets = [{ id: 'a', value: `${secret}\r\n`, untilMs: null }];
      expect(verify(requestOf(sampleText()), secrets)).toEqual({ secretId: 'a' });
    });

    it('never repeats a secret in a refusal, and never throws', () => {
      fc.assert(
        fc.property(
          fc.uint8Array({ maxLength: 64 }),
          fc.dictionary(fc.constantFrom(...world.signedHeaders), fc.string({ unit: 'binary' })),
          (body, headers) => {
            const verdict = JSON.stringify(verify(requestOf(Buffer.from(body), headers)));
            expect(verdict).toContain('refused');
            expect(verdict).not.toContain(secret);
          },
        ),
      );
    });
  });

  describe(`${provider.name}: body`, () => {
    it('reads the same event however its JSON is laid out', () => {
      const plain = parseOne(sampleText());
      const pretty = JSON.stringify(world.sample(), null, 2);
      const escaped = sampleText().replaceAll('/', '\\/');
      for (const body of [
        pretty,
        pretty.replaceAll('\n', '\r\n'),
        `\uFEFF${pretty}`,
        `\n${pretty}\n`,
        escaped,
      ]) {
        expect(verify(requestOf(body))).toEqual({ secretId: 'a' });
        expect(parseOne(body)).toEqual(plain);
      }
    });

    it('refuses a body that ends early, at every byte', () => {
      const body = Buffer.from(sampleText());
      expect(refusalOf('')).toBe('body_empty');
      expect(refusalOf(' \n')).toBe('body_empty');
      for (let end = 1; end < body.length; end++) {
        expect(refusalOf(body.subarray(0, end)), `${end} bytes`).toBe('body_truncated');
      }
    });

    it('refuses what is no JSON object in UTF-8', () => {
      for (const body of ['null', '[]', '"text"', '17', '{} {}', '<html></html>', 'id=1&type=x']) {
        expect(refusalOf(body), body).toBe('body_malformed');
      }
      expect(refusalOf(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]))).toBe('body_malformed');
    });

    it('never throws, whatever bytes were signed', () => {
      fc.assert(
        fc.property(fc.oneof(fc.json(), fc.string({ unit: 'binary' })), (text) => {
          for (const verdict of parse(text)) expect(typeof verdict).toBe('object');
        }),
      );
    });

    it.each(world.requiredPaths)('refuses an event without %s', (path) => {
      expect(refusalOf(JSON.stringify(withPath(world.sample(), path, undefined)))).toBe('field_missing');
      expect(refusalOf(JSON.stringify(withPath(world.sample(), path, null)))).toBe('field_missing');
      for (const wrong of ['', {}, [], true, 1.5]) {
        expect(refusalOf(JSON.stringify(withPath(world.sample(), path, wrong)))).toBe('field_invalid');
      }
    });

    it.each(world.ids)('keeps the bytes of $path (R12)', ({ path, shown }) => {
      for (const id of ['Ab', 'aB', ' a ', 'ä', 'ä', '😀', 'a\u2028b', 'a\tb', '0012', 'x'.repeat(190)]) {
        expect(shown(parseOne(JSON.stringify(withPath(world.sample(), path, id))))).toBe(id);
      }
    });

    it.each(world.ids)('keeps all twenty digits of a number as $path (R12)', ({ path, shown }) => {
      const marked = JSON.stringify(withPath(world.sample(), path, '@@'));
      for (const digits of ['83897661450506698701', '83897661450506698702', '9007199254740993', '7']) {
        expect(shown(parseOne(marked.replace('"@@"', digits)))).toBe(digits);
      }
    });

    it.each(world.ids)('refuses half a character and a flood in $path', ({ path }) => {
      expect(refusalOf(JSON.stringify(withPath(world.sample(), path, 'a\ud83d')))).toBe('field_invalid');
      expect(refusalOf(JSON.stringify(withPath(world.sample(), path, 'x'.repeat(5_000))))).toBe(
        'field_invalid',
      );
    });
  });

  describe(`${provider.name}: types`, () => {
    it('maps every word it knows to a neutral type or to nothing', () => {
      for (const [word, neutral] of Object.entries(provider.types)) {
        if (neutral !== null) expect(NEUTRAL_TYPES).toContain(neutral);
        const event = parseOne(JSON.stringify(withPath(world.sample(), world.typePath, word)));
        expect([event.providerType, event.type]).toEqual([word, neutral]);
      }
    });

    it('keeps a word it does not know, and says that it does not', () => {
      for (const word of ['something.new', 'constructor', '__proto__', 'toString']) {
        const event = parseOne(JSON.stringify(withPath(world.sample(), world.typePath, word)));
        expect([event.providerType, event.type]).toEqual([word, undefined]);
      }
    });

    it('hands on a closed list of short facts', () => {
      const { facts } = parseOne(sampleText());
      expect(Object.keys(facts).length).toBeLessThanOrEqual(16);
      for (const value of Object.values(facts)) expect(typeof value).toBe('string');
      expect(JSON.stringify(facts)).not.toMatch(/name|mail|address|card/i);
    });
  });
}

function withPath(body: Record<string, unknown>, path: string, value: unknown): Record<string, unknown> {
  const copy = structuredClone(body);
  const keys = path.split('.');
  const last = keys.pop() as string;
  let at: Record<string, unknown> = copy;
  for (const key of keys) at = at[key] as Record<string, unknown>;
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}
