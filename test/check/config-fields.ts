/** Every field that a configuration may hold stands in the docs, with the default that is in force. */
import { configFields } from '../../src/config/schema.ts';
import type { Check } from './check.ts';

const PAGE = 'docs/configuration.md';

export const configurationFields: Check = {
  name: 'configuration fields',
  remedy: `Give each field its row in ${PAGE}: | \`field\` | default | what it does |.`,
  findProblems(tree) {
    if (!tree.files.includes(PAGE)) return [`${PAGE} is not there`];
    const page = tree.read(PAGE);
    return Object.entries(configFields()).flatMap(([section, fields]) => {
      const text = sectionOf(page, section);
      if (text === null) return [`${PAGE} has no section "${section}"`];
      const rows = new Set([...text.matchAll(/^\|\s*`([^`]+)`/gm)].map(([, name = '']) => name));
      return [
        ...fields
          .filter((field) => !rows.has(field))
          .map((field) => `${PAGE}, ${section}: no row for \`${field}\``),
        ...[...rows]
          .filter((row) => !fields.includes(row))
          .map((row) => `${PAGE}, ${section}: \`${row}\` is not a field`),
      ];
    });
  },
};

function sectionOf(page: string, title: string): string | null {
  const start = page.indexOf(`\n## ${title}\n`);
  if (start < 0) return null;
  const end = page.indexOf('\n## ', start + 1);
  return page.slice(start, end < 0 ? undefined : end);
}
