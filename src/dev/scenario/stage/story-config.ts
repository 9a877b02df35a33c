/**
 * A story's configuration: its machine and sources as it says, everything else as stories need it. Waits are short, so
 * that what a day would bring comes in a second; a story that is about a wait says how long.
 */
import { checkConfig } from '../../../config/check.ts';
import type { CheckedConfig } from '../../../config/check.ts';
import type { Config } from '../../../config/resolved.ts';
import { http } from '../../../config/written.ts';
import { InorderError } from '../../../errors.ts';
import type { MachineDefinition } from '../../../ordering/machine.ts';
import { writerOf } from '../providers/provider-writers.ts';
import type { Scenario } from '../format/scenario.ts';
import type { FieldProblem } from '../format/story-problems.ts';

export interface StoryWorld {
  machine: MachineDefinition;
  environment: string;
  /** Where a source's API answers; null: the story has none of it. */
  apiOf: (source: string) => { url: string; key: string } | null;
  secretOf: (source: string) => string;
  /** Its time is over. */
  oldSecretOf: (source: string) => string;
  effects: { url: string; secret: string };
}

const LONG_AGO = '2020-01-01T00:00:00Z';
const SHORT_WAITS = { gapTimeout: '500ms', lagWindow: '300ms' };
const RETRY = { firstDelay: '100ms', maxDelay: '1s' };

export function storyConfig(scenario: Scenario, file: string, world: StoryWorld): Config {
  const checked = checkStoryConfig(scenario, file, world);
  if ('config' in checked) return checked.config;
  throw new InorderError('config_invalid', checked.problems.join('\n'));
}

function checkStoryConfig(scenario: Scenario, file: string, world: StoryWorld): CheckedConfig {
  const machine = withDeadlines(world.machine, scenario.deadlines ?? {});
  const sources = Object.entries(scenario.sources).map(([name, { provider, ...said }]) => [
    name,
    {
      provider,
      environment: world.environment,
      machine: machine.name,
      secrets: [
        { id: 'a', value: world.secretOf(name) },
        { id: 'old', value: world.oldSecretOf(name), until: LONG_AGO },
      ],
      first: 'any',
      ...SHORT_WAITS,
      ...writerOf(provider).source(world.apiOf(name), said),
      ...said,
    },
  ]);
  const effects = Object.keys(machine.effects).map((name) => {
    const { keyTtl = '24h', timeout = '5s', maxAttempts } = scenario.effects?.[name] ?? {};
    const retry = maxAttempts === undefined ? RETRY : { ...RETRY, maxAttempts };
    const { url, secret } = world.effects;
    return [name, http({ url, secret, allowPrivate: true, keyTtl, timeout, retry })];
  });
  const written = {
    machines: [machine],
    sources: Object.fromEntries(sources) as unknown,
    effects: Object.fromEntries(effects) as unknown,
    redeliverAfter: '2s',
    ...scenario.settings,
  };
  // What a table may do under what a contract promises is for `machine check` to prove; a story may show it.
  return checkConfig(written, file, {}, { skipsProofs: true });
}

/** What is wrong with fields that a configuration has, too, before anything is started. */
export function configProblems(scenario: Scenario, file: string, machine: MachineDefinition): FieldProblem[] {
  const asked = sourcesWithApi(scenario);
  const secret = (source: string) => writerOf(scenario.sources[source]?.provider ?? '').newSecret();
  const checked = checkStoryConfig(scenario, file, {
    machine,
    environment: 'test',
    apiOf: (source) => (asked.has(source) ? { url: 'http://127.0.0.1:9/api', key: 'key' } : null),
    secretOf: secret,
    oldSecretOf: secret,
    effects: { url: 'http://127.0.0.1:9/effects', secret: writerOf('sandbox').newSecret() },
  });
  if ('config' in checked) return [];
  return checked.problems.map((problem) => {
    const [, place = '', message = problem] = /^([\w.[\]-]+): (.*)$/s.exec(problem) ?? [];
    const path = place.split('.');
    const isSetting = path.length === 1 && Object.hasOwn(scenario.settings ?? {}, place);
    return { path: isSetting ? ['settings', ...path] : path, message };
  });
}

function withDeadlines(machine: MachineDefinition, deadlines: Record<string, string>): MachineDefinition {
  const statuses = Object.entries(machine.statuses).map(([name, status]) => {
    const after = deadlines[name];
    if (after === undefined || status.deadline === undefined) return [name, status];
    return [name, { ...status, deadline: { ...status.deadline, after } }];
  });
  return { ...machine, statuses: Object.fromEntries(statuses) as MachineDefinition['statuses'] };
}

/** Sources whose API the story plays: those of which it says what is true, or how it behaves. */
export function sourcesWithApi({ truth, api, deliveries }: Scenario): Set<string> {
  const names = (part: object | undefined): string[] => Object.keys(part ?? {});
  const later = deliveries.flatMap((step) =>
    'truth' in step ? names(step.truth) : 'api' in step ? names(step.api) : [],
  );
  return new Set([...names(truth), ...names(api), ...later]);
}
