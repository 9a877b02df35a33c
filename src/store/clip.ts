/**
 * Text for people, cut to what its column holds. Only for words that nothing is compared by: a long reason must not
 * keep an order from being written. Identifiers are never cut; what does not fit is refused.
 */
export function clip(text: string | null, maxBytes: number): string | null {
  // UTF-8 takes at most three bytes per UTF-16 unit, so short texts need no counting.
  if (text === null || text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text;
  const mark = '…';
  const room = maxBytes - Buffer.byteLength(mark);
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > room) break;
    end += character.length;
  }
  return text.slice(0, end) + mark;
}
