/**
 * One JSON text in the handwriting of other programs: what a framework makes of a body that it parses and writes out
 * again. Only blanks and the spelling of texts change; numbers, order and doubled names stay, so that the bytes that
 * were signed come back wherever that is possible at all.
 */
interface Layout {
  name: string;
  comma: string;
  colon: string;
  /** One level of it; null: all in one line. */
  indent: string | null;
}

const LAYOUTS: Layout[] = [
  { name: 'compact', comma: ',', colon: ':', indent: null },
  {
    name: 'in one line with blanks (", " and ": ", as Python writes it)',
    comma: ', ',
    colon: ': ',
    indent: null,
  },
  { name: 'pretty-printed by 2', comma: ',', colon: ': ', indent: '  ' },
  { name: 'pretty-printed by 4', comma: ',', colon: ': ', indent: '    ' },
  { name: 'pretty-printed by tabs', comma: ',', colon: ': ', indent: '\t' },
];

const ascii = (text: string): string =>
  text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const slashes = (text: string): string => text.replaceAll('/', '\\/');

const SPELLINGS: { name: string; spell: (text: string, raw: string) => string }[] = [
  { name: '', spell: (_text, raw) => raw },
  { name: 'letters as they are', spell: (text) => JSON.stringify(text) },
  { name: 'letters beyond ASCII as \\u escapes', spell: (text) => ascii(JSON.stringify(text)) },
  {
    name: 'slashes as \\/ and \\u escapes, as PHP writes them',
    spell: (text) => slashes(ascii(JSON.stringify(text))),
  },
  { name: 'slashes as \\/', spell: (text) => slashes(JSON.stringify(text)) },
  {
    name: '<, > and & as \\u escapes, as Go and Rails write them',
    spell: (text) =>
      JSON.stringify(text).replace(
        /[<>&\u2028\u2029]/g,
        (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
  },
];

/** Beyond this depth nobody wrote it by hand or by program for a webhook. */
const MAX_DEPTH = 200;
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Every handwriting, each with what it is called; nothing when the text is no JSON. */
export function* rewriteJson(text: string): Generator<{ name: string; text: string }> {
  try {
    JSON.parse(text);
  } catch {
    return;
  }
  const tokens = text.match(TOKEN) ?? [];
  for (const { name: spelling, spell } of SPELLINGS) {
    const spelt = tokens.map((token) =>
      token.startsWith('"') ? spell(JSON.parse(token) as string, token) : token,
    );
    for (const layout of LAYOUTS) {
      const written = lay(spelt, layout);
      if (written === null) return;
      yield { name: spelling === '' ? layout.name : `${layout.name}, ${spelling}`, text: written };
    }
  }
}

function lay(tokens: string[], { comma, colon, indent }: Layout): string | null {
  let written = '';
  let depth = 0;
  const line = (): string => (indent === null ? '' : `\n${indent.repeat(depth)}`);
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1];
    switch (token) {
      case '{':
      case '[':
        if (++depth > MAX_DEPTH) return null;
        written += token + (next === '}' || next === ']' ? '' : line());
        break;
      case '}':
      case ']': {
        depth -= 1;
        const before = tokens[index - 1];
        written += (before === '{' || before === '[' ? '' : line()) + token;
        break;
      }
      case ',':
        written += comma + line();
        break;
      case ':':
        written += colon;
        break;
      default:
        written += token;
    }
  }
  return written;
}
