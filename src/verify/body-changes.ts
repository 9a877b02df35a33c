/**
 * What proxies, frameworks and editors do to a body on its way: each turned back, with its name, for a signature to
 * be tried on. Nothing here knows a scheme or a secret.
 */
import { isRecord } from '../providers/json.ts';
import { rewriteJson } from './rewrite-json.ts';
import { unpackAs } from './unpack.ts';

export interface ChangedBody {
  /** What must have been done to the bytes that were signed. */
  change: string;
  /** The bytes as they were before. */
  body: Buffer;
}

/** The likely ones first. Some bodies may come twice, or be the one given. */
export function* bodyChanges(body: Buffer): Generator<ChangedBody> {
  yield* ends(body);
  yield* packing(body);
  const text = utf8(body);
  if (text === null) {
    yield {
      change: 'it was turned from UTF-8 into Latin-1',
      body: Buffer.from(body.toString('latin1'), 'utf8'),
    };
    yield {
      change: 'it was turned from UTF-8 into UTF-16',
      body: Buffer.from(body.toString('utf16le'), 'utf8'),
    };
    return;
  }
  yield* lines(text);
  yield* charsets(text);
  yield* wrappings(text);
  for (const { name, text: written } of rewriteJson(text.replace(/^\uFEFF/, ''))) {
    const change = `its JSON was written anew; signed was: ${name}`;
    yield { change, body: Buffer.from(written) };
    yield { change: `${change}, with a line feed at the end`, body: Buffer.from(`${written}\n`) };
  }
}

function* ends(body: Buffer): Generator<ChangedBody> {
  const text = body.toString('latin1');
  const bytes = (latin1: string): Buffer => Buffer.from(latin1, 'latin1');
  yield { change: 'a line feed was added at the end', body: bytes(text.replace(/\n$/, '')) };
  yield { change: 'a line break (CR LF) was added at the end', body: bytes(text.replace(/\r\n$/, '')) };
  yield {
    change: 'blanks or line breaks were added around it',
    body: bytes(text.replace(/^[\s\0]+|[\s\0]+$/g, '')),
  };
  yield { change: 'the line feed at its end was taken away', body: bytes(`${text}\n`) };
  yield { change: 'the line break (CR LF) at its end was taken away', body: bytes(`${text}\r\n`) };
  if (text.startsWith('\u00ef\u00bb\u00bf'))
    yield { change: 'a byte order mark was put in front', body: bytes(text.slice(3)) };
  else
    yield { change: 'the byte order mark in front was taken away', body: bytes(`\u00ef\u00bb\u00bf${text}`) };
  yield { change: 'all of it was lost', body: Buffer.alloc(0) };
}

function* packing(body: Buffer): Generator<ChangedBody> {
  for (const name of ['gzip', 'deflate', 'br']) {
    const unpacked = unpackAs(name, body);
    if (unpacked === null) continue;
    yield { change: `it is still compressed (${name}), and no Content-Encoding says so`, body: unpacked };
  }
}

function* lines(text: string): Generator<ChangedBody> {
  yield { change: 'line feeds became CR LF', body: Buffer.from(text.replaceAll('\r\n', '\n')) };
  yield { change: 'CR LF became line feeds', body: Buffer.from(text.replace(/\r?\n/g, '\r\n')) };
}

function* charsets(text: string): Generator<ChangedBody> {
  const latin1 = Buffer.from(text, 'latin1');
  // Only where nothing is lost: a letter that Latin-1 does not have would become another one.
  if (latin1.toString('latin1') === text) {
    yield { change: 'it was turned from Latin-1 into UTF-8, or UTF-8 was taken for Latin-1', body: latin1 };
  }
  yield {
    change: 'UTF-8 was read as Latin-1',
    body: Buffer.from(Buffer.from(text, 'utf8').toString('latin1'), 'utf8'),
  };
  yield { change: 'it was turned from UTF-16 into UTF-8', body: Buffer.from(text, 'utf16le') };
  yield { change: 'its letters were composed (Unicode NFC)', body: Buffer.from(text.normalize('NFD')) };
  yield { change: 'its letters were taken apart (Unicode NFD)', body: Buffer.from(text.normalize('NFC')) };
}

const ENTITIES: Record<string, string> = {
  '&quot;': '"',
  '&#34;': '"',
  '&#39;': "'",
  '&#x27;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
};

function* wrappings(text: string): Generator<ChangedBody> {
  const unescaped = text.replace(
    /&(?:quot|#34|#39|#x27|lt|gt|amp);/g,
    (entity) => ENTITIES[entity] ?? entity,
  );
  if (unescaped !== text) yield { change: 'it was escaped for HTML', body: Buffer.from(unescaped) };
  const form = /^[\w.-]+=/.exec(text)?.[0];
  if (form !== undefined) {
    const value = new URLSearchParams(text).get(form.slice(0, -1)) ?? '';
    yield { change: `it was put into the form field "${form.slice(0, -1)}"`, body: Buffer.from(value) };
  }
  if (/%[0-9A-Fa-f]{2}/.test(text)) {
    const decoded = new URLSearchParams(`_=${text}`).get('_') ?? '';
    yield { change: 'it was percent-encoded', body: Buffer.from(decoded) };
  }
  if (/^[A-Za-z0-9+/]+={0,2}\s*$/.test(text)) {
    yield { change: 'it was encoded as base64', body: Buffer.from(text, 'base64') };
  }
  yield* inner(text);
}

/** A queue or a function platform hands the body on as one text inside its own JSON. */
function* inner(text: string): Generator<ChangedBody> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return;
  }
  if (typeof value === 'string') yield { change: 'it was written as a JSON text', body: Buffer.from(value) };
  if (!isRecord(value)) return;
  for (const [name, item] of Object.entries(value)) {
    if (typeof item !== 'string' || item.length < 2) continue;
    yield { change: `it was put into the field "${name}" of another JSON object`, body: Buffer.from(item) };
    yield { change: `it was put into the field "${name}", as base64`, body: Buffer.from(item, 'base64') };
  }
}

function utf8(body: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return null;
  }
}

/** Where two bodies begin to differ: an offset and lengths, never what stands there. */
export function differenceOf(signed: Buffer, given: Buffer): string {
  let offset = 0;
  while (offset < signed.length && offset < given.length && signed[offset] === given[offset]) offset++;
  return `${signed.length} bytes were signed, ${given.length} are here; they differ from byte ${offset} on`;
}
