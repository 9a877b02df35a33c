/**
 * The search attributes an order's workflow sets, and their registration. A workflow that sets one the server
 * does not know fails its task again and again, so every worker registers them before it takes work, and once
 * more whenever the server was away: it may have come back empty.
 */
import type { ConnectionLike } from '@temporalio/client';
import { InorderError } from '../errors.ts';

export interface SearchAttribute {
  name: string;
  /** As the `temporal` command line writes it. */
  type: 'Keyword' | 'KeywordList';
}

export const SEARCH_ATTRIBUTES: SearchAttribute[] = [
  { name: 'InorderStatus', type: 'Keyword' },
  { name: 'InorderAttention', type: 'KeywordList' },
  { name: 'InorderSource', type: 'KeywordList' },
];

/** Numbers of Temporal's own enum `IndexedValueType`; part of its wire format. */
const INDEXED_VALUE_TYPE = { Keyword: 2, KeywordList: 7 } as const;
const DEADLINE_MS = 10_000;

/** Adds what is missing; safe to run any number of times and from many workers at once. */
export async function ensureSearchAttributes(
  connection: ConnectionLike,
  namespace: string,
): Promise<{ added: string[] }> {
  const { missing, mistyped } = await findSearchAttributeProblems(connection, namespace);
  for (const { name, type } of mistyped) {
    throw new InorderError(
      'temporal_unavailable',
      `Temporal namespace "${namespace}" has the search attribute ${name} with another type than ` +
        `${type}; remove it (temporal operator search-attribute remove) and start again.`,
    );
  }
  if (missing.length > 0) {
    await connection.withDeadline(Date.now() + DEADLINE_MS, () =>
      connection.operatorService.addSearchAttributes({
        namespace,
        searchAttributes: Object.fromEntries(
          missing.map(({ name, type }) => [name, INDEXED_VALUE_TYPE[type]]),
        ),
      }),
    );
  }
  return { added: missing.map(({ name }) => name) };
}

/** Those that the namespace does not have, and those it has with another type. */
export async function findSearchAttributeProblems(
  connection: ConnectionLike,
  namespace: string,
): Promise<{ missing: SearchAttribute[]; mistyped: SearchAttribute[] }> {
  const { customAttributes } = await connection.withDeadline(Date.now() + DEADLINE_MS, () =>
    connection.operatorService.listSearchAttributes({ namespace }),
  );
  const known = (attribute: SearchAttribute) => customAttributes?.[attribute.name];
  return {
    missing: SEARCH_ATTRIBUTES.filter((attribute) => known(attribute) === undefined),
    mistyped: SEARCH_ATTRIBUTES.filter(
      (attribute) =>
        known(attribute) !== undefined && known(attribute) !== INDEXED_VALUE_TYPE[attribute.type],
    ),
  };
}
