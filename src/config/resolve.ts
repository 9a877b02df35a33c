/**
 * From fields that are right one by one to a configuration that is right as a whole: names become adapters,
 * machines and handlers, defaults that depend on an adapter are filled in, each source gets its policy. What does
 * not fit together is collected, never thrown.
 */
import { compileMachine } from '../ordering/compile-machine.ts';
import { didYouMean } from '../ordering/did-you-mean.ts';
import type { MachineDefinition } from '../ordering/machine.ts';
import type { Provider, SourceSettings } from '../providers/provider.ts';
import { machineDigest } from './machine-digest.ts';
import type { Config, ConfiguredMachine, EffectHandler, Source } from './resolved.ts';
import { NAME } from './schema.ts';
import type { ParsedConfig, ParsedEffect, ParsedSource } from './schema.ts';

export type Report = (path: PropertyKey[], message: string) => void;

export function resolveConfig(
  parsed: ParsedConfig,
  file: string,
  providers: Record<string, Provider>,
  report: Report,
): Config {
  const machines = resolveMachines(parsed.machines, report);
  const sources = new Map<string, Source>();
  if (Object.keys(parsed.sources).length === 0) report(['sources'], 'is empty; nothing could be received');
  for (const [name, written] of Object.entries(parsed.sources)) {
    const source = resolveSource(name, written, parsed, providers, report);
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

export function findProvider(
  source: string,
  provider: string | Provider,
  providers: Record<string, Provider>,
  report: Report,
): Provider | undefined {
  if (typeof provider !== 'string') return provider;
  if (Object.hasOwn(providers, provider)) return providers[provider];
  const known = Object.keys(providers);
  const hint = didYouMean(provider, known) || ` Known: ${known.join(', ')}`;
  report(['sources', source, 'provider'], `there is no adapter '${provider}'.${hint}`);
  return undefined;
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

function resolveSource(
  name: string,
  written: ParsedSource,
  config: ParsedConfig,
  providers: Record<string, Provider>,
  report: Report,
): Source | null {
  const path = ['sources', name];
  if (!NAME.test(name)) {
    report(path, "a source's name is part of its URL: small letters, digits or '-', at most 63");
  }
  if (name === 'inorder') report(path, "'inorder' is the name of what inorder itself does; choose another");
  const secrets = resolveSecrets(path, written, report);
  const provider = findProvider(name, written.provider, providers, report);
  if (!provider) return null;
  const contract = written.contract ?? provider.contract;
  const api = resolveApi(path, written, provider, report);
  if (contract === 'unordered' && api === null) {
    report(
      path,
      "events without versions cannot be put in order, and without 'apiBase' the provider cannot be asked; " +
        "give the API, or state a 'contract' that its events keep",
    );
  }
  const settings: SourceSettings = {
    name,
    environment: written.environment,
    toleranceMs: written.tolerance,
    orderPaths: written.order,
    paths: written.paths,
    mode: written.mode ?? null,
    account: written.account ?? null,
    requests: {},
  };
  for (const problem of provider.problems?.({ settings, contract, secrets }) ?? []) {
    report([...path, ...problem.path], problem.message);
  }
  return {
    name,
    provider,
    settings,
    environment: written.environment,
    machine: written.machine,
    mode: written.mode ?? null,
    account: written.account ?? null,
    secrets,
    types: written.types,
    unknownTypes: written.unknownTypes,
    maxBytes: written.maxBytes,
    contract,
    policy: {
      contract,
      api: api !== null && provider.fetch !== undefined && (provider.canFetch?.(settings) ?? true),
      find: api !== null && provider.find !== undefined && (provider.canFind?.(settings) ?? true),
      first: written.first ?? (contract === 'sequence' ? provider.first : undefined) ?? 'any',
      gapTimeoutMs: written.gapTimeout,
      lagWindowMs: written.lagWindow,
      askDeadlineMs: written.askDeadline ?? config.askDeadline,
      effects: written.effects,
    },
    api,
  };
}

function resolveSecrets(path: string[], written: ParsedSource, report: Report): Source['secrets'] {
  const secrets = written.secrets.flatMap(({ id, value, until }) =>
    value === undefined ? [] : [{ id, value, untilMs: until ?? null }],
  );
  if (secrets.length === 0) {
    report([...path, 'secrets'], 'none has a value, so every delivery would be refused; give at least one');
  }
  const ids = written.secrets.map(({ id }) => id);
  for (const [index, id] of ids.entries()) {
    if (ids.indexOf(id) !== index) report([...path, 'secrets', index, 'id'], `'${id}' is used twice`);
  }
  return secrets;
}

function resolveApi(
  path: string[],
  written: ParsedSource,
  provider: Provider,
  report: Report,
): Source['api'] {
  if (written.apiBase === undefined) {
    if (written.apiKey !== undefined) {
      report([...path, 'apiKey'], "has no use without 'apiBase', the address of the provider's API");
    }
    return null;
  }
  if (provider.fetch === undefined) {
    report([...path, 'apiBase'], `the adapter '${provider.name}' has no way to ask its provider; remove it`);
  }
  return {
    base: written.apiBase.replace(/\/+$/, ''),
    key: written.apiKey ?? null,
    perSecond: written.apiPerSecond,
    timeoutMs: written.apiTimeout,
  };
}

function resolveEffect(name: string, written: ParsedEffect, report: Report): EffectHandler {
  if (written.retry.maxDelay < written.retry.firstDelay) {
    report(['effects', name, 'retry', 'maxDelay'], 'is shorter than firstDelay');
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
