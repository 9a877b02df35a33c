/**
 * Names in a filter that nothing stored has, each with the nearest that something has: an empty list that comes of
 * a slip must not read like an answer.
 */
import { didYouMean } from '../ordering/did-you-mean.ts';
import { hasName, selectMachineNames, selectNames } from '../store/known-names.ts';
import type { NamedTable } from '../store/known-names.ts';
import type { Queryable } from '../store/store.ts';

export interface NamedFilter {
  machine?: string;
  environment?: string;
  status?: string;
  source?: string;
  type?: string;
  /** Of an effect. */
  name?: string;
}

/** One sentence for each name that is nowhere; none for a name that only matches nothing at present. */
export async function unknownNames(db: Queryable, table: NamedTable, filter: NamedFilter): Promise<string[]> {
  const sentences: string[] = [];
  for (const column of ['machine', 'environment', 'source', 'type'] as const) {
    const name = filter[column];
    if (name !== undefined && !(await hasName(db, table, column, name)))
      sentences.push(sentence(column, name, await selectNames(db, table, column)));
  }
  // A name of a machine is no slip, also where nothing has it now.
  for (const [what, name, kind] of [
    ['status', filter.status, 'statuses'],
    ['effect', filter.name, 'effects'],
  ] as const) {
    const names = name === undefined ? [] : await selectMachineNames(db, kind);
    if (name !== undefined && !names.includes(name)) sentences.push(sentence(what, name, names));
  }
  return sentences;
}

function sentence(what: string, name: string, known: string[]): string {
  const hint = didYouMean(name, known);
  if (hint !== '') return `There is no ${what} '${name}'.${hint}`;
  if (known.length === 0) return `There is no ${what} '${name}', and no other yet.`;
  return `There is no ${what} '${name}'. There ${known.length === 1 ? 'is' : 'are'}: ${known.join(', ')}.`;
}
