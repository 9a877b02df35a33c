/** `inorder restored` at a terminal: what would follow, a question, then window, orders and lists. */
import { WorkflowClient } from '@temporalio/client';
import { loadEnvironment } from '../config/environment.ts';
import { loadConfig } from '../config/load.ts';
import type { Config } from '../config/resolved.ts';
import { createDeliver } from '../dispatch/deliver.ts';
import { createPoliciesOf } from '../dispatch/policies.ts';
import { InorderError } from '../errors.ts';
import { nameLostWindow, surveyRestore, tellOrders, whyNoWindow } from '../operations/restored.ts';
import type { RestoreSurvey } from '../operations/restored.ts';
import { migrate } from '../store/migrate.ts';
import { openStore } from '../store/store.ts';
import { connectLazily } from '../temporal/connection.ts';
import { RequestIdClient } from '../temporal/request-id-client.ts';
import { configFileOf } from './config-file.ts';
import { confirm } from './confirm.ts';
import { count } from './count.ts';
import type { ConfigOption, JsonOption, PersonOption } from './options.ts';
import { personOf } from './person.ts';
import { plain, print, printJson, say } from './print.ts';
import { progress } from './progress-line.ts';

export interface RestoredOptions extends ConfigOption, JsonOption, PersonOption {
  from: number;
  to: number;
  dryRun?: boolean;
  yes?: boolean;
}

/** A cause of unknown time counts as one of the lost time for so long: as long as providers mostly repeat. */
const UNKNOWN_FOR_MS = 86_400_000;

export async function runRestored(options: RestoredOptions): Promise<void> {
  const { actor, reason } = personOf(options);
  const window = { fromMs: options.from, toMs: options.to };
  const problem = whyNoWindow(window, Date.now());
  if (problem !== null) throw new InorderError('usage', problem);
  const config = await loadConfig(configFileOf(options), process.env, { skipsProofs: true });
  const environment = loadEnvironment(process.env);
  const store = openStore(environment.mysqlUrl);
  const connection = connectLazily(environment);
  const line = progress();
  try {
    // A backup of an older release has not got the table that this is written to.
    if (options.dryRun !== true) await migrate(store);
    const survey = await surveyRestore(store, window);
    if (options.dryRun === true) return show(options, survey, null);
    for (const sentence of tell(survey, window)) say(sentence);
    if (
      !(await confirm(
        'The window is written down, effects go on, and every open order asks its provider.',
        options,
      ))
    )
      return;
    const done = await nameLostWindow(store, {
      ...window,
      unknownForMs: UNKNOWN_FOR_MS,
      by: `${actor}: ${reason}`,
    });
    const clients = { connection, namespace: environment.temporalNamespace };
    const told = await tellOrders(
      {
        db: store,
        client: new WorkflowClient(clients),
        taskQueue: environment.taskQueue,
        deliver: createDeliver({
          client: new RequestIdClient(clients),
          taskQueue: environment.taskQueue,
          policiesOf: createPoliciesOf(config),
        }),
        onProgress: (orders) => line.show(`${count(orders, 'order')} told …`),
      },
      window.fromMs - config.closeAfterMs,
    );
    line.clear();
    show(options, done, told);
    if (options.json !== true) for (const sentence of next(config, window)) print(sentence);
  } finally {
    line.clear();
    await Promise.allSettled([store.close(), connection.close()]);
  }
}

function show(
  { json = false, ...window }: RestoredOptions,
  survey: RestoreSurvey,
  told: number | null,
): void {
  if (json) return printJson({ ...survey, told, isDryRun: told === null });
  if (told === null) {
    for (const sentence of tell(survey, { fromMs: window.from, toMs: window.to })) print(sentence);
    print('Nothing was changed.');
    return;
  }
  print(`Effects go on. ${count(told, 'order')} told: they look again at what is stored, and ask.`);
}

const iso = (ms: number): string => new Date(ms).toISOString();

function tell(survey: RestoreSurvey, { fromMs, toMs }: { fromMs: number; toMs: number }): string[] {
  const { openSince, found, isNamed, lastStored, openEffects, doubtful, begunUnseen } = survey;
  const isLater = lastStored !== null && Date.parse(lastStored) > fromMs;
  return [
    `Lost: what was stored from ${iso(fromMs)} until ${iso(toMs)}.`,
    openSince === null
      ? 'Nothing has shown it yet: effects run.'
      : `Effects stand still since ${openSince}: ${plain(found ?? '')}.`,
    ...(isNamed ? ['This window was named before; orders are only told again.'] : []),
    lastStored === null
      ? 'No decision of before its end is stored.'
      : `The last decision of before its end is of ${lastStored}${isLater ? ', later than --from: the backup is younger than you say, or the old database ran longer' : ''}.`,
    `${count(openEffects, 'effect')} of the backup not at the end: an attempt of the lost time may have done them. They are repeated only while their receiver honours their key.`,
    `${count(doubtful, 'effect')} asked for after the restore, of causes that may be of before: uncertain, for a person.`,
    ...(begunUnseen > 0
      ? [
          `${count(begunUnseen, 'effect')} asked for and begun after the restore, before anybody saw it: they may have been done twice, under the same key.`,
        ]
      : []),
  ];
}

/** What lists do by themselves, and what a person has to do. */
function next({ sources }: Config, { fromMs }: { fromMs: number }): string[] {
  const lines: string[] = [];
  for (const { name, lists, reconcile, api } of sources.values()) {
    if (lists && reconcile !== null)
      lines.push(`${name}: its list is read from where the backup stood; nothing to do.`);
    else if (lists) lines.push(`${name}: run \`inorder reconcile ${name} --since ${iso(fromMs)}\`.`);
    else if (api === null)
      lines.push(`${name}: cannot be asked; have its sender send again what it sent since ${iso(fromMs)}.`);
    else
      lines.push(`${name}: open orders ask; new ones of the lost time are heard of only if it sends again.`);
  }
  lines.push(
    'Then: `inorder effects list --state uncertain`, `inorder orders list --attention any`, `inorder doctor --store`.',
  );
  return lines;
}
