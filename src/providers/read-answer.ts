/**
 * A provider's answer, as an adapter read it, to what the core settles by. Pure: the same function stands behind
 * every question, and behind the tests that play without a provider.
 */
import { factOf } from '../fact.ts';
import type { Facts, Snapshot } from '../ordering/state.ts';
import { canonicalInstant, canonicalVersion } from '../ordering/version.ts';
import { ApiUnavailable } from './api-client.ts';
import { mappedType } from './mapped-type.ts';
import type { TypeMap } from './mapped-type.ts';
import type { ProviderSnapshot } from './provider.ts';
import { factsProblem } from './read-fields.ts';

/** What was asked, when, and by whose words its answer is read. */
export interface Asked {
  stream: string;
  /** When the request was sent, epoch ms. */
  asOf: number;
  types: TypeMap;
}

/** Throws ApiUnavailable where the answer is none: its type, its version or its facts cannot be used. */
export function readAnswer(answer: ProviderSnapshot, { stream, asOf, types }: Asked): Snapshot {
  const type = typeOf(answer, types);
  for (const { facts } of [answer, ...(answer.parts ?? [])]) {
    const problem = factsProblem(facts);
    if (problem !== null) throw new ApiUnavailable(`the answer cannot be used: ${problem}`);
  }
  return {
    stream,
    type,
    version: versionOf(answer.version),
    payment: answer.payment ?? null,
    fact: factOf(type, answer.facts),
    facts: answer.facts,
    asOf,
    ...createdAtOf(answer.createdAt),
    parts: (answer.parts ?? []).map((part) => partOf(part)),
    ...(answer.lists === undefined ? {} : { lists: answer.lists }),
  };
}

function typeOf(answer: ProviderSnapshot, types: TypeMap): string | null {
  const mapped = mappedType(types, answer, () => answer.body ?? answer);
  if (mapped.kind === 'known') return mapped.type;
  if (mapped.kind === 'failed') throw new ApiUnavailable(mapped.reason);
  throw new ApiUnavailable('the answer has no type that is known');
}

const partOf = ({ type, facts, createdAt }: { type: string; facts: Facts; createdAt?: string }) => ({
  type,
  fact: factOf(type, facts),
  facts,
  ...createdAtOf(createdAt),
});

/** A time that cannot be read is none: it decides nothing but what is older than inorder. */
function createdAtOf(text: string | undefined): { createdAt?: string } {
  const instant = text === undefined ? null : canonicalInstant(text);
  return instant === null ? {} : { createdAt: instant };
}

function versionOf(version: string | undefined): string | null {
  if (version === undefined) return null;
  const canonical = canonicalVersion(version);
  if (canonical === null)
    throw new ApiUnavailable("the answer's version is neither an integer nor an instant");
  return canonical;
}
