/**
 * From fields that are right one by one to a configuration that is right as a whole: names become adapters,
 * machines and handlers, defaults that depend on an adapter are filled in, each source gets its policy. What does
 * not fit together is collected, never thrown.
 */
import { compileMachine } from '../ordering/compile-machine.ts';
import { didYouMean } from '../ordering/did-you-mean.ts';
import type { MachineDefinition } from '../ordering/machine.ts';
import { canSign } from '../providers/standard-webhooks-signature.ts';
import { machineDigest } from './machine-digest.ts';
import type { Config, ConfiguredMachine, EffectHandler, Source } from './resolved.ts';
import { resolveSource } from './resolve-source.ts';
import type { Report } from './report.ts';
import type { ParsedConfig, ParsedEffect } from './schema.ts';

export function resolveConfig(parsed: ParsedConfig, file: string, report: Report): Config {
  const machines = resolveMachines(parsed.machines, report);
  const sources = new Map<string, Source>();
  if (Object.keys(parsed.sources).length === 0) report(['sources'], 'is empty; nothing could be received');
  for (const [name, written] of Object.entries(parsed.sources)) {
    const source = resolveSource(name, written, parsed, report);
    if (source) sources.set(name, source);
    checkMachineName(name, written.machine, parsed.machines, report);
  }
  const effects = new Map(
    Object.entries(parsed.effects).map(([name, written]) => [name, resolveEffect(name, written, report)]),
  );
  return {
    file,
    machines,
    sources,
    effects,
    notify: parsed.attention?.notify ?? null,
    redeliverAfterMs: parsed.redeliverAfter,
    closeAfterMs: parsed.closeAfter,
    maxEventsPerRun: parsed.maxEventsPerRun,
  };
}

/** One that is listed and has problems of its own is known: those are what is to be mended. */
export function checkMachineName(
  source: string,
  machine: string,
  definitions: readonly unknown[],
  report: Report,
): void {
  const known = definitions.flatMap((definition) => {
    const name = (definition as { name?: unknown } | null)?.name;
    return typeof name === 'string' ? [name] : [];
  });
  if (known.includes(machine)) return;
  report(
    ['sources', source, 'machine'],
    `'${machine}' is none of the machines.${didYouMean(machine, known)}`,
  );
}

export function resolveMachines(definitions: unknown[], report: Report): Map<string, ConfiguredMachine> {
  const machines = new Map<string, ConfiguredMachine>();
  if (definitions.length === 0) report(['machines'], 'is empty; write a machine and list it here');
  for (const [index, written] of definitions.entries()) {
    const definition = written as MachineDefinition;
    const compiled = compileMachine(definition);
    if ('problems' in compiled) {
      for (const problem of compiled.problems) report(['machines', index], problem);
      continue;
    }
    const { machine } = compiled;
    if (machines.has(machine.name))
      report(['machines', index], `a second machine is called '${machine.name}'`);
    machines.set(machine.name, { definition, machine, digest: machineDigest(machine) });
  }
  return machines;
}

function resolveEffect(name: string, written: ParsedEffect, report: Report): EffectHandler {
  if (written.retry.maxDelay < written.retry.firstDelay) {
    report(['effects', name, 'retry', 'maxDelay'], 'is shorter than firstDelay');
  }
  if (written.kind === 'http' && !canSign(written.secret)) {
    report(
      ['effects', name, 'secret'],
      "holds no key to sign with; take a shared secret, 'whsec_' and base64",
    );
  }
  const base = {
    name,
    timeoutMs: written.timeout,
    keyTtlMs: written.keyTtl,
    retry: {
      maxAttempts: written.retry.maxAttempts,
      firstDelayMs: written.retry.firstDelay,
      maxDelayMs: written.retry.maxDelay,
    },
    confirm: written.confirm ?? null,
  };
  return written.kind === 'http'
    ? { ...base, kind: 'http', url: written.url, secret: written.secret, allowPrivate: written.allowPrivate }
    : { ...base, kind: 'function', run: written.run };
}
