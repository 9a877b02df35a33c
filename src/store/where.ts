/** A WHERE clause from the filters that are set: conditions are constants of the caller, values are parameters. */
import type { SqlParam } from './store.ts';

export interface Where {
  sql: string;
  params: SqlParam[];
}

export function where(conditions: readonly (readonly [string, ...SqlParam[]] | null)[]): Where {
  const set = conditions.filter((condition) => condition !== null);
  return {
    sql: set.length === 0 ? '' : `WHERE ${set.map(([sql]) => `(${sql})`).join(' AND ')}`,
    params: set.flatMap(([, ...params]) => params),
  };
}

/** `column = value`, if the value is set. */
export const equals = (column: string, value: string | undefined): [string, string] | null =>
  value === undefined ? null : [`${column} = ?`, value];
