/** Data goes to stdout, talk to stderr. Colours only for a person at a terminal who did not ask for none. */
import { isatty } from 'node:tty';
import pc from 'picocolors';

export const colours = pc.createColors(
  isatty(1) && (process.env['NO_COLOR'] ?? '') === '' && process.env['TERM'] !== 'dumb',
);

export const print = (line: string): void => void process.stdout.write(`${line}\n`);
export const say = (line: string): void => void process.stderr.write(`${line}\n`);
export const printJson = (value: unknown): void => print(JSON.stringify(value));

/**
 * A text from outside, without what a terminal would act on: control characters and turned writing directions are
 * written out. Ids keep every byte elsewhere (R12), here a person looks at them.
 */
export const plain = (text: string): string =>
  text.replace(
    /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );

const segments = new Intl.Segmenter();

/** Cut in the middle where it is longer: beginning and end are what ids are told apart by. */
export function shorten(text: string, longest: number): string {
  const parts = Array.from(segments.segment(text), ({ segment }) => segment);
  if (parts.length <= longest) return text;
  const tail = Math.floor((longest - 1) / 2);
  return `${parts.slice(0, longest - 1 - tail).join('')}…${parts.slice(-tail).join('')}`;
}

/** Columns as wide as their widest cell, the last one free; titles in capitals, what stands in brackets as it is. */
export function printTable(titles: string[], rows: string[][]): void {
  for (const [index, line] of tableLines(titles, rows).entries())
    print(index === 0 ? colours.dim(line) : line);
}

export function tableLines(titles: string[], rows: string[][]): string[] {
  const all = [
    titles.map((title) => title.replace(/^[^(]*/, (name) => name.toUpperCase())),
    ...rows.map((row) => row.map(plain)),
  ];
  const widths = titles.map((_, column) => Math.max(...all.map((row) => width(row[column] ?? ''))));
  return all.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - width(cell))))
      .join('  ')
      .trimEnd(),
  );
}

/** In characters as people see them. */
const width = (cell: string): number => [...segments.segment(cell)].length;
