/**
 * Sources whose events come in any order while nobody can be asked: the table alone decides then, so it must lead to
 * the same end in every order of arrival. Proved by the model checker, once per machine and only where it is needed,
 * because a table that holds takes it seconds; one that does not is refused with the shortest story that goes wrong.
 */
import { proveContract } from '../ordering/check/prove-contract.ts';
import { linesOf } from '../ordering/check/tell.ts';
import type { Machine } from '../ordering/machine.ts';
import { howToAsk } from './resolve-api.ts';
import type { Report } from './report.ts';
import type { Config, Source } from './resolved.ts';

export function refuseUnprovedSources({ sources, machines }: Config, report: Report): void {
  const unsafe = new Map<string, { story: string[]; toldAt: string } | null>();
  for (const source of sources.values()) {
    const machine = machines.get(source.machine)?.machine;
    if (machine === undefined || source.contract !== 'unordered' || source.policy.api) continue;
    const known = unsafe.get(machine.name);
    const found = known === undefined ? storyAgainst(machine, source.name) : known;
    unsafe.set(machine.name, found);
    if (found !== null) report(['sources', source.name], refusal(source, found));
  }
}

function storyAgainst(machine: Machine, toldAt: string): { story: string[]; toldAt: string } | null {
  const proof = proveContract(machine, { contract: 'unordered', api: false });
  if (proof.ok) return null;
  const tooLarge = `It is too large to be proved: given up after ${proof.worlds} worlds.`;
  return { story: proof.story === null ? [tooLarge] : linesOf(proof.story), toldAt };
}

function refusal(
  { name, machine, provider }: Source,
  { story, toldAt }: { story: string[]; toldAt: string },
): string {
  const why =
    `its events come in any order, and without ${howToAsk(provider)} nobody can be asked; ` +
    `the table of '${machine}' does not hold then. Give ${howToAsk(provider)}, change the table, ` +
    "or state a 'contract' that its events keep.";
  return name === toldAt ? [why, ...story].join('\n    ') : `${why} The story is that of sources.${toldAt}.`;
}
