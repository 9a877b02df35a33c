/**
 * Sources whose events come in any order, or with versions that only rise, while nobody can be asked: what never
 * arrived shows nowhere, so the table must lead to the same end in every order of arrival. Proved by the model checker,
 * once per machine and contract and only where it is needed, because a table that holds takes it seconds; one that does
 * not is refused with the shortest story that goes wrong.
 */
import { proveContract } from '../ordering/check/prove-contract.ts';
import { linesOf } from '../ordering/check/tell.ts';
import type { Machine } from '../ordering/machine.ts';
import type { Contract } from '../ordering/state.ts';
import { howToAsk } from './resolve-api.ts';
import type { Report } from './report.ts';
import type { Config, Source } from './resolved.ts';

export function refuseUnprovedSources({ sources, machines }: Config, report: Report): void {
  const unsafe = new Map<string, { story: string[]; toldAt: string } | null>();
  for (const source of sources.values()) {
    const machine = machines.get(source.machine)?.machine;
    const { contract, policy } = source;
    if (machine === undefined || contract === 'sequence' || policy.api) continue;
    const name = `${contract} ${machine.name}`;
    const known = unsafe.get(name);
    const found = known === undefined ? storyAgainst(machine, contract, source.name) : known;
    unsafe.set(name, found);
    if (found !== null) report(['sources', source.name], refusal(source, found));
  }
}

function storyAgainst(
  machine: Machine,
  contract: Contract,
  toldAt: string,
): { story: string[]; toldAt: string } | null {
  const proof = proveContract(machine, { contract, api: false });
  if (proof.ok) return null;
  if (contract === 'monotonic') {
    // Only what was found to go wrong is refused, and what holds in any order holds where versions rise.
    if (proof.story === null) return null;
    if (proveContract(machine, { contract: 'unordered', api: false }).ok) return null;
  }
  const tooLarge = `It is too large to be proved: given up after ${proof.worlds} worlds.`;
  return { story: proof.story === null ? [tooLarge] : linesOf(proof.story), toldAt };
}

const ORDER_OF: Record<Contract, string> = {
  sequence: 'versions are contiguous',
  monotonic: 'versions only rise, so that a lost event shows nowhere',
  unordered: 'events come in any order',
};

function refusal(
  { name, machine, provider, contract }: Source,
  { story, toldAt }: { story: string[]; toldAt: string },
): string {
  const why =
    `its ${ORDER_OF[contract]}, and without ${howToAsk(provider)} nobody can be asked; ` +
    `the table of '${machine}' does not hold then. Give ${howToAsk(provider)}, change the table, ` +
    "or state a 'contract' that its events keep.";
  return name === toldAt ? [why, ...story].join('\n    ') : `${why} The story is that of sources.${toldAt}.`;
}
