/**
 * One source: its name becomes an adapter, its fields the adapter's settings, and what is known of it the policy
 * that travels with each signal. What does not fit together is reported, never thrown.
 */
import { didYouMean } from '../ordering/did-you-mean.ts';
import { formatDuration } from '../ordering/format-duration.ts';
import type { Provider, SourceSettings } from '../providers/provider.ts';
import { providers } from '../providers/registry.ts';
import { requestsOf, resolveApi, whyUnlisted } from './resolve-api.ts';
import type { Report } from './report.ts';
import type { Source } from './resolved.ts';
import { NAME } from './field-rules.ts';
import type { ParsedConfig, ParsedSource } from './schema.ts';

export function findProvider(
  source: string,
  provider: string | Provider,
  report: Report,
): Provider | undefined {
  if (typeof provider !== 'string') return provider;
  const known: Record<string, Provider> = providers;
  if (Object.hasOwn(known, provider)) return known[provider];
  const names = Object.keys(known);
  const hint = didYouMean(provider, names) || ` Known: ${names.join(', ')}`;
  report(['sources', source, 'provider'], `there is no adapter '${provider}'.${hint}`);
  return undefined;
}

export function resolveSource(
  name: string,
  written: ParsedSource,
  config: ParsedConfig,
  report: Report,
): Source | null {
  const path = ['sources', name];
  if (!NAME.test(name)) {
    report(path, "a source's name is part of its URL: small letters, digits or '-', at most 63");
  }
  if (name === 'inorder') report(path, "'inorder' is the name of what inorder itself does; choose another");
  const secrets = resolveSecrets(path, written, report);
  const provider = findProvider(name, written.provider, report);
  if (!provider) return null;
  const contract = written.contract ?? provider.contract;
  const settings: SourceSettings = {
    name,
    environment: written.environment,
    toleranceMs: written.tolerance,
    orderPaths: written.order,
    paths: written.paths,
    types: written.types,
    mode: written.mode ?? null,
    account: written.account ?? null,
    requests: requestsOf(written),
  };
  const api = resolveApi(path, written, provider, settings, report);
  const unlisted = whyUnlisted(provider, api, settings);
  const reconcile = resolveReconcile([...path, 'reconcile'], written, provider, unlisted, report);
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
      existingBefore: written.existingBefore ?? null,
    },
    api,
    lists: unlisted === null,
    reconcile,
  };
}

function resolveReconcile(
  path: string[],
  { reconcile }: ParsedSource,
  { name, listsForMs = Infinity }: Provider,
  unlisted: string | null,
  report: Report,
): Source['reconcile'] {
  if (reconcile === undefined) return null;
  if (unlisted !== null) report(path, unlisted);
  if (reconcile.every > listsForMs / 2) {
    const most = formatDuration(listsForMs / 2);
    report([...path, 'every'], `is too seldom for '${name}', which forgets what it lists; at most ${most}`);
  }
  return { everyMs: reconcile.every };
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
