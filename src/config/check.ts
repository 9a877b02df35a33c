/**
 * The whole check of a configuration that was read from its file: variables, fields, names, and names that only
 * one side has. Gives the configuration or everything that is wrong with it.
 */
import { didYouMean } from '../ordering/did-you-mean.ts';
import { configPath } from './config-path.ts';
import { fillVariables } from './fill-variables.ts';
import { refuseUnprovedSources } from './prove-unordered.ts';
import type { Variables } from './read-variable.ts';
import { checkMachineName, resolveConfig, resolveMachines } from './resolve.ts';
import { findProvider } from './resolve-source.ts';
import type { Report } from './report.ts';
import type { Config } from './resolved.ts';
import { configSchema } from './schema.ts';
import type { Issue } from './schema.ts';

export type CheckedConfig = { config: Config } | { problems: string[] };

export interface CheckOptions {
  /** For whoever decides nothing by a table: the proofs that take seconds are left to the worker's start. */
  skipsProofs?: boolean;
}

export function checkConfig(
  written: unknown,
  file: string,
  variables: Variables,
  { skipsProofs = false }: CheckOptions = {},
): CheckedConfig {
  const filled = fillVariables(written, variables);
  const problems = oncePerProblem(filled.problems);
  const report: Report = (path, message) => void problems.push(`${configPath(path)}: ${message}`);

  const parsed = configSchema.safeParse(filled.value);
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues.flatMap(perKey)) {
      if (!filled.problems.has(configPath(path))) report(path, message);
    }
    checkNamesOnly(filled.value, report);
    return { problems };
  }
  const config = resolveConfig(parsed.data, file, report);
  // With a machine missing, every handler would look unused.
  if (config.machines.size === parsed.data.machines.length)
    checkEffectNames(config.machines, config.effects.keys(), config.notify, report);
  // What takes long comes last, and not at all where something else is to be mended first.
  if (problems.length === 0 && !skipsProofs) refuseUnprovedSources(config, report);
  return problems.length > 0 ? { problems } : { config };
}

/** With a wrong field no configuration comes about; its names are checked all the same, as far as they are texts. */
function checkNamesOnly(written: unknown, report: Report): void {
  const { machines: definitions, sources, effects, attention } = fieldsOf(written);
  if (!Array.isArray(definitions)) return;
  const machines = resolveMachines(definitions, report);
  for (const [name, source] of Object.entries(fieldsOf(sources))) {
    const { machine, provider } = fieldsOf(source);
    if (typeof machine === 'string') checkMachineName(name, machine, definitions, report);
    if (typeof provider === 'string') findProvider(name, provider, report);
  }
  if (machines.size === definitions.length && isFields(effects))
    checkEffectNames(machines, Object.keys(effects), notifyOf(attention), report);
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldsOf = (value: unknown): Record<string, unknown> => (isFields(value) ? value : {});

function notifyOf(attention: unknown): string | null {
  const { notify } = fieldsOf(attention);
  return typeof notify === 'string' ? notify : null;
}

/** One variable that is missing in many places is one problem. */
function oncePerProblem(byPath: Map<string, string>): string[] {
  const places = new Map<string, string[]>();
  for (const [path, problem] of byPath) places.set(problem, [...(places.get(problem) ?? []), path]);
  return [...places].map(([problem, [first, ...others]]) =>
    others.length === 0 ? `${first}: ${problem}` : `${first} (and ${others.length} more): ${problem}`,
  );
}

function perKey(issue: Issue): { path: PropertyKey[]; message: string }[] {
  if (issue.code !== 'unrecognized_keys') return [{ path: issue.path, message: issue.message }];
  const messages = issue.message.split('\n');
  return issue.keys.map((key, i) => ({ path: [...issue.path, key], message: messages[i] ?? issue.message }));
}

function checkEffectNames(
  machines: Config['machines'],
  handlers: Iterable<string>,
  notify: string | null,
  report: Report,
): void {
  const asked = new Map<string, string>();
  for (const [name, { machine }] of machines) {
    for (const effect of Object.keys(machine.effects)) asked.set(effect, name);
  }
  const known = new Set(handlers);
  for (const [effect, machine] of asked) {
    if (!known.has(effect)) {
      const hint = didYouMean(effect, known);
      report(['effects', effect], `machine '${machine}' asks for it and no handler is here.${hint}`);
    }
  }
  if (notify !== null && !known.has(notify)) {
    report(['attention', 'notify'], `there is no effect '${notify}'.${didYouMean(notify, known)}`);
  }
  for (const effect of known) {
    if (effect !== notify && !asked.has(effect)) {
      report(
        ['effects', effect],
        `no machine has an effect of this name.${didYouMean(effect, asked.keys())}`,
      );
    }
  }
}
