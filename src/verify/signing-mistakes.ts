/**
 * How a sender may have signed instead: with another reading of the secret, over something else than the scheme says,
 * by another hash or in another spelling. Each is computed and compared with what the header holds, so that what is
 * said is known and not guessed. Senders written by hand make these mistakes; nothing here is ever accepted.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

export interface Named<T> {
  /** Ends the sentence "it was …"; null: as the scheme says. */
  mistake: string | null;
  value: T;
}

export interface Signings {
  /** What the header holds, each signature on its own and without the scheme's prefix. */
  given: string[];
  contents: Named<Buffer>[];
  keys: Named<Buffer>[];
  encoding: 'base64' | 'hex';
}

const HASHES = ['sha256', 'sha1', 'sha512'] as const;

/** What was done otherwise, in words; null when no reading fits. */
export function explainSigning({ given, contents, keys, encoding }: Signings): string | null {
  const digests = given.flatMap(readDigest);
  for (const key of keys) {
    for (const content of contents) {
      for (const hash of HASHES) {
        const expected = createHmac(hash, key.value).update(content.value).digest();
        const found = digests.find(
          ({ bytes }) => bytes.length === expected.length && timingSafeEqual(bytes, expected),
        );
        if (found === undefined) continue;
        const mistakes = [
          content.mistake,
          key.mistake,
          hash === 'sha256' ? null : `computed by ${hash.toUpperCase()} instead of SHA256`,
          found.spelling === encoding ? null : `written as ${found.spelling} instead of ${encoding}`,
        ].filter((mistake) => mistake !== null);
        return mistakes.length === 0 ? null : `the signature was ${mistakes.join(', and ')}`;
      }
    }
  }
  return null;
}

/** A text may be read in more than one way: 64 hexadecimal digits are base64, too. */
function readDigest(text: string): { spelling: string; bytes: Buffer }[] {
  const readings: { spelling: string; bytes: Buffer }[] = [];
  if (/^[0-9a-f]+$/i.test(text)) readings.push({ spelling: 'hex', bytes: Buffer.from(text, 'hex') });
  if (/^[A-Za-z0-9+/]+={0,2}$/.test(text)) {
    const bytes = Buffer.from(text, 'base64');
    readings.push({ spelling: 'base64', bytes });
    const inner = bytes.toString('latin1');
    if (/^[0-9a-f]{40,128}$/.test(inner)) {
      readings.push({ spelling: 'base64 of hex', bytes: Buffer.from(inner, 'hex') });
    }
  } else if (/^[\w-]+={0,2}$/.test(text)) {
    readings.push({ spelling: 'base64url', bytes: Buffer.from(text, 'base64url') });
  }
  return readings;
}

/** The ways in which a configured secret gets into a key. `right`: how the scheme has it. */
export function keysFrom(secret: string, right: 'decoded' | 'as it is'): Named<Buffer>[] {
  const text = secret.trim();
  const bare = text.replace(/^whsec_/, '');
  const decoded = Buffer.from(bare, 'base64');
  const utf8 = (value: string): Buffer => Buffer.from(value, 'utf8');
  const isPrefixed = bare !== text;
  const takenAsText = 'made with the text of the secret; its base64 has to be decoded first';
  const keys: Named<Buffer>[] = [
    {
      mistake: right === 'decoded' ? null : 'made with the decoded secret; here the text itself is the key',
      value: decoded,
    },
    {
      mistake: right === 'as it is' ? null : isPrefixed ? `${takenAsText}, after "whsec_"` : null,
      value: utf8(text),
    },
    {
      mistake: !isPrefixed
        ? null
        : right === 'decoded'
          ? takenAsText
          : 'made with the secret without its "whsec_"',
      value: utf8(bare),
    },
  ];
  for (const [name, end] of [
    ['line feed', '\n'],
    ['CR LF', '\r\n'],
    ['carriage return', '\r'],
    ['blank', ' '],
  ] as const) {
    keys.push({ mistake: `made with a ${name} at the end of the secret`, value: utf8(`${text}${end}`) });
  }
  for (const quote of ['"', "'"]) {
    keys.push({ mistake: 'made with quotes around the secret', value: utf8(`${quote}${text}${quote}`) });
  }
  return keys;
}
