import { writeFileSync } from 'node:fs';
import { VARIABLES } from '../../src/config/environment.ts';
import type { Check } from './check.ts';

const PAGE = 'docs/configuration.md';
const BEGIN = '<!-- environment: written by `npm run check -- --write` from src/config/environment.ts -->';
const END = '<!-- end of environment -->';

interface Row {
  name: string;
  default: string | null;
  unit: string;
  effect: string;
  secret: boolean;
}

export const environmentTable: Check = {
  name: 'environment table',
  remedy: `\`npm run check -- --write\` writes the table between the marks in ${PAGE}.`,
  findProblems(tree) {
    if (!tree.files.includes(PAGE)) return [`${PAGE} is not there`];
    const shown = partsOf(tree.read(PAGE));
    if (shown === null) return [`${PAGE} has not the marks "${BEGIN}" and "${END}"`];
    const written = cells(shown.table);
    const actual = cells(tableOf(Object.values(VARIABLES)));
    return [
      ...actual.filter((row) => !written.includes(row)).map((row) => `${PAGE} lacks the row ${row}`),
      ...written
        .filter((row) => !actual.includes(row))
        .map((row) => `${PAGE} has a row that is not so: ${row}`),
    ];
  },
};

export function writeEnvironmentTable(page: string): void {
  const parts = partsOf(page);
  if (parts === null) return;
  writeFileSync(
    PAGE,
    `${parts.before}${BEGIN}\n\n${tableOf(Object.values(VARIABLES))}\n\n${END}${parts.after}`,
  );
}

function partsOf(page: string): { before: string; table: string; after: string } | null {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) return null;
  return {
    before: page.slice(0, begin),
    table: page.slice(begin + BEGIN.length, end),
    after: page.slice(end + END.length),
  };
}

function tableOf(rows: Row[]): string {
  const lines = rows.map(({ name, default: standard, unit, effect, secret }) => {
    const names = secret ? `\`${name}\`, or \`${name}_FILE\` with a file that holds it` : `\`${name}\``;
    const value = standard === null ? '–' : `\`${standard}\``;
    return `| ${names} | ${value} | ${unit} | ${effect} |`;
  });
  return ['| Variable | Default | Unit | Effect |', '| --- | --- | --- | --- |', ...lines].join('\n');
}

/** Rows without what a formatter adds. */
function cells(table: string): string[] {
  return table
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|[\s|:-]+$/.test(line))
    .map((line) => line.replaceAll(/\s+/g, ' ').trim());
}
