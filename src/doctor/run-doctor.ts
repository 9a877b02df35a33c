/**
 * `inorder doctor`: every check in turn. A check that throws has failed with what was thrown; one whose ground is not
 * there (no database, no configuration) is not looked at and says so, so that one cause is told once as a failure.
 */
import { readEnvironment } from '../config/environment.ts';
import type { Environment } from '../config/environment.ts';
import { checkConfigFile } from '../config/load.ts';
import type { Variables } from '../config/read-variable.ts';
import type { Config } from '../config/resolved.ts';
import { InorderError } from '../errors.ts';
import { openStore } from '../store/store.ts';
import { connectLazily } from '../temporal/connection.ts';
import { attention } from './attention.ts';
import { backlog } from './backlog.ts';
import { canary } from './canary.ts';
import { fail, ok, warn } from './check.ts';
import type { Check, Finding, Need, Patient, Verdict } from './check.ts';
import { clock } from './clock.ts';
import { columns } from './columns.ts';
import { configurationProblems } from './configuration.ts';
import { database } from './database.ts';
import { effects } from './effects.ts';
import { lists } from './lists.ts';
import { machines } from './machines.ts';
import { migrations } from './migrations.ts';
import { receivers } from './receivers.ts';
import { refused } from './refused.ts';
import { restored } from './restored.ts';
import { retention } from './retention.ts';
import { searchAttributes } from './search-attributes.ts';
import { secrets } from './secrets.ts';
import { temporal } from './temporal.ts';
import { unlinked } from './unlinked.ts';
import { workers } from './workers.ts';

/** In this order: what others stand on comes first, the canary last. */
const CHECKS: Check[] = [
  secrets,
  database,
  migrations,
  columns,
  clock,
  temporal,
  retention,
  searchAttributes,
  machines,
  workers,
  receivers,
  backlog,
  refused,
  unlinked,
  lists,
  restored,
  effects,
  attention,
  canary,
];

/** When such a check fails, those that need it are not looked at. */
const GROUNDS = new Map<Check, Need[]>([
  [database, ['database', 'tables']],
  [migrations, ['tables']],
  [temporal, ['temporal']],
]);
const ABSENT: Record<Need, string> = {
  environment: 'the environment is not usable',
  configuration: 'the configuration is not usable',
  database: 'the database cannot be used',
  tables: 'the tables are not those of this version',
  temporal: 'Temporal does not answer',
};

export interface CheckFinding extends Omit<Finding, 'isUsable'> {
  check: string;
}

export interface DoctorReport {
  /** Nothing failed. */
  ok: boolean;
  findings: CheckFinding[];
}

export interface DoctorOptions {
  variables: Variables;
  configFile: string;
  now?: () => number;
  canaryLimitMs?: number;
  /** Before and after each check, for whoever watches. */
  onLook?: (name: string) => void;
  onFound?: (name: string, verdict: Verdict) => void;
}

export async function runDoctor(options: DoctorOptions): Promise<DoctorReport> {
  const { variables, configFile, onLook = () => {}, onFound = () => {} } = options;
  const findings: CheckFinding[] = [];
  const add = (check: string, found: Finding[]): void => {
    findings.push(...found.map(({ isUsable: _, ...finding }) => ({ check, ...finding })));
    onFound(check, worstOf(found));
  };

  const read = readEnvironment(variables);
  const environment = 'environment' in read ? read.environment : null;
  add(
    'environment',
    'problems' in read ? configurationProblems(read.problems) : [ok('all variables are usable')],
  );
  onLook('configuration');
  const checked = await checkConfigFile(configFile, variables);
  const config = 'config' in checked ? checked.config : null;
  add(
    'configuration',
    'problems' in checked ? configurationProblems(checked.problems) : [ok(told(checked.config))],
  );

  const patient = examine(options, environment, config);
  const absent = new Set<Need>([
    ...(environment === null ? (['environment'] as const) : []),
    ...(config === null ? (['configuration'] as const) : []),
  ]);
  try {
    for (const check of CHECKS) {
      const missing = check.needs.find((need) => absent.has(need));
      if (missing !== undefined) {
        add(check.name, [warn(`not looked at: ${ABSENT[missing]}`, 'mend that first')]);
        continue;
      }
      onLook(check.name);
      const found = await look(check, patient);
      add(check.name, found);
      if (isGone(found)) for (const ground of GROUNDS.get(check) ?? []) absent.add(ground);
    }
  } finally {
    await patient.close();
  }
  return { ok: findings.every(({ verdict }) => verdict !== 'fail'), findings };
}

/** A database that answers and is set up badly can still be looked into. */
const isGone = (found: Finding[]): boolean =>
  found.some(({ verdict, isUsable }) => verdict === 'fail' && isUsable !== true);

async function look(check: Check, patient: Patient): Promise<Finding[]> {
  try {
    return await check.look(patient);
  } catch (error) {
    const { code, message } = InorderError.from(error);
    return [fail(`could not be looked at: ${message} [${code}]`, 'mend that, and look again')];
  }
}

/** Without an environment nothing is opened, and no check that needs it is asked. */
function examine(
  { now = Date.now, canaryLimitMs = 20_000 }: DoctorOptions,
  environment: Environment | null,
  config: Config | null,
): Patient & { close: () => Promise<unknown> } {
  const store = environment === null ? null : openStore(environment.mysqlUrl, { connections: 2 });
  const connection = environment === null ? null : connectLazily(environment);
  return {
    environment,
    config,
    store,
    temporal: connection,
    now,
    canaryLimitMs,
    close: () => Promise.allSettled([store?.close(), connection?.close()]),
  } as Patient & { close: () => Promise<unknown> };
}

const told = ({ machines: all, sources, effects: handlers }: Config): string =>
  [
    `machines ${[...all.keys()].join(', ')}`,
    `sources ${[...sources.keys()].join(', ')}`,
    `effects ${[...handlers.keys()].join(', ') || '-'}`,
  ].join('; ');

const ORDER: Verdict[] = ['ok', 'warn', 'fail'];
const worstOf = (found: Finding[]): Verdict =>
  ORDER[Math.max(0, ...found.map(({ verdict }) => ORDER.indexOf(verdict)))] ?? 'ok';
