/** Data goes to stdout, talk to stderr. Colours only for a person at a terminal who did not ask for none. */
import pc from 'picocolors';

export const colours = pc.createColors(
  process.stdout.isTTY === true && (process.env['NO_COLOR'] ?? '') === '' && process.env['TERM'] !== 'dumb',
);

export const print = (line: string): void => void process.stdout.write(`${line}\n`);
export const say = (line: string): void => void process.stderr.write(`${line}\n`);
export const printJson = (value: unknown): void => print(JSON.stringify(value));

/** Columns as wide as their widest cell, the last one free; a title row in capitals when there are rows. */
export function printTable(titles: string[], rows: string[][]): void {
  const all = [titles.map((title) => title.toUpperCase()), ...rows];
  const widths = titles.map((_, column) => Math.max(...all.map((row) => width(row[column] ?? ''))));
  all.forEach((row, index) => {
    const line = row
      .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - width(cell))))
      .join('  ')
      .trimEnd();
    print(index === 0 ? colours.dim(line) : line);
  });
}

// eslint-disable-next-line no-control-regex -- colour codes have no width
const width = (cell: string): number => [...cell.replace(/\u001b\[\d+m/g, '')].length;
