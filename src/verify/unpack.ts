/** A saved body as the receiver sees it: what Content-Encoding says is undone, unless whoever saved it has done so. */
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import type { Headers } from './read-headers.ts';

/** A bomb among saved bodies shall not end the command. */
const MAX_INFLATED_BYTES = 32 * 1_048_576;

const UNPACK: Record<string, ((packed: Buffer) => Buffer)[]> = {
  gzip: [(packed) => gunzipSync(packed, { maxOutputLength: MAX_INFLATED_BYTES })],
  deflate: [
    (packed) => inflateSync(packed, { maxOutputLength: MAX_INFLATED_BYTES }),
    (packed) => inflateRawSync(packed, { maxOutputLength: MAX_INFLATED_BYTES }),
  ],
  br: [(packed) => brotliDecompressSync(packed, { maxOutputLength: MAX_INFLATED_BYTES })],
};

export function unpack(headers: Headers, body: Buffer): Buffer {
  const encoding = (headers['content-encoding']?.[0] ?? '').trim().toLowerCase().replace(/^x-/, '');
  return unpackAs(encoding, body) ?? body;
}

/** null: it is not packed so. */
export function unpackAs(encoding: string, body: Buffer): Buffer | null {
  for (const way of Object.hasOwn(UNPACK, encoding) ? (UNPACK[encoding] ?? []) : []) {
    try {
      return way(body);
    } catch {
      // The next way, or none.
    }
  }
  return null;
}
