/**
 * `inorder dev`: receiver and worker with one's own configuration, on services that are brought and kept. What a
 * configuration reads and nobody has set is played (sandbox providers, an application that takes effects, secrets),
 * so that the demo's and a new project's run as they are; whatever a team sets itself counts instead.
 */
import { relative, resolve } from 'node:path';
import { loadEnvironmentWithoutStore, VARIABLES } from '../config/environment.ts';
import { importConfig, loadConfig } from '../config/load.ts';
import { unsaidTypes } from '../config/unsaid-types.ts';
import type { InorderError } from '../errors.ts';
import { openStore } from '../store/store.ts';
import { Closing } from '../processes/closing.ts';
import { addresses } from './addresses.ts';
import { enterMachines } from './enter-machines.ts';
import { createFirstEventsTeller } from './first-events.ts';
import { aborted, catchInterrupt } from './interrupt.ts';
import { givenServices, startOwnServices } from './own-services.ts';
import { dropOwnVariables, tellOfDropped } from './own-variables.ts';
import { hasSandbox, playMissing } from './play-missing.ts';
import { startProcesses } from './processes.ts';
import { refuseTakenPorts } from './refuse-taken-ports.ts';
import { createRefusalTeller } from './refused-webhooks.ts';
import { ownDirectory } from './services/owned-directory.ts';
import { openShop } from './shop.ts';
import { openToSimulate } from './simulate/open-to-simulate.ts';
import { startStandIns } from './stand-in.ts';

export interface DevOptions {
  /** null: that of INORDER_CONFIG, or the usual one. */
  configFile: string | null;
  directory: string;
  /** Gives up what is kept of earlier times. */
  fresh: boolean;
  /** Plays the APIs of providers, too. */
  standIn: boolean;
}

const OWN_ADVICE = 'Or begin with an empty database and Temporal: `inorder dev --fresh`.';
const NO_BAD_MOMENTS = { refuses: 0, slow: 0, doesAndIsSilent: 0, doesAndAnswers500: 0 };

const say = (line: string) => void process.stderr.write(`${line}\n`);

export async function runDev(options: DevOptions): Promise<number> {
  const closing = new Closing(say);
  const interrupt = catchInterrupt(() => say('stopping …'));
  try {
    await run(options, closing, interrupt.signal);
    return 0;
  } catch (error) {
    if (interrupt.status === null) throw error;
    return interrupt.status;
  } finally {
    await closing.close();
    interrupt.release();
  }
}

async function run(options: DevOptions, closing: Closing, signal: AbortSignal): Promise<void> {
  const directory = resolve(options.directory);
  const owned = await ownDirectory(directory, 'start this one with --directory and another folder');
  closing.add('the directory', () => owned.release());
  for (const line of tellOfDropped(dropOwnVariables(process.env))) say(line);
  const { port, operationsPort, taskQueue, configFile: usualFile } = loadEnvironmentWithoutStore(process.env);
  await refuseTakenPorts({ port, operationsPort });
  const configFile = resolve(options.configFile ?? usualFile);
  const shop = await openShop(closing, {
    seed: 'dev',
    badMoments: NO_BAD_MOMENTS,
    // A team that has set it and not yet where its application is: calls are signed with it.
    ...(isSet('EFFECTS_SECRET') ? { effectsSecret: process.env['EFFECTS_SECRET'] ?? '' } : {}),
    onDone: ({ name, order, key }) => say(`effect ${name} for order ${order} (${key})`),
  });
  const written = await importConfig(configFile);
  const { EFFECTS_URL: url, EFFECTS_SECRET: secret } = shop.environment;
  const offered = hasSandbox(written) ? shop.environment : { EFFECTS_URL: url, EFFECTS_SECRET: secret };
  const known = Object.fromEntries(Object.entries(offered).filter(([name]) => !isSet(name)));
  const standIns = options.standIn ? await startStandIns(written, closing) : null;
  const variables = { ...process.env, ...known, ...standIns?.environment };
  const played = playMissing(written, variables, { url, secret });
  for (const line of [...(standIns?.lines ?? []), ...played.lines]) say(line);
  // A stand-in counts over what is set: whoever asks for it does not want the real one to be asked.
  const ours = { ...known, ...played.environment, ...standIns?.environment };
  // Before anything is started: most first mistakes are in this file.
  const config = await loadConfig(configFile, { ...process.env, ...ours });
  for (const note of unsaidTypes(config)) say(`Note: ${note}`);
  const given = givenServices();
  const services = await startOwnServices({
    directory,
    lifetime: options.fresh ? 'emptied' : 'kept',
    given,
    closing,
    announce: say,
  });
  signal.throwIfAborted();
  const store = openStore(services.mysqlUrl, { connections: 1 });
  closing.add('the store', () => store.close());
  const advice = given.mysqlUrl === null ? OWN_ADVICE : '';
  for (const line of await enterMachines(store, config.machines.values(), advice)) say(line);
  const environment = {
    ...ours,
    MYSQL_URL: services.mysqlUrl,
    TEMPORAL_ADDRESS: services.temporalAddress,
    INORDER_TASK_QUEUE: taskQueue,
    INORDER_CONFIG: configFile,
  };
  say('Starting receiver and worker …');
  const processes = await startProcesses({
    directory,
    environment,
    ports: { port, operationsPort },
    replacesMachines: true,
    closing,
    signal,
  });
  // Where `doctor` and whoever else looks for the receiver finds it.
  const settings = { [VARIABLES.port.name]: new URL(processes.webhooksUrl).port };
  const up = { directory, environment, settings, services, processes, closing };
  for (const line of await addresses(up)) say(line);
  const told = await openToSimulate({
    ...{ directory, config, closing, webhooksUrl: processes.webhooksUrl },
    ...{ sandbox: shop.world, stripe: standIns?.stripe ?? null },
  });
  for (const line of told) say(line);
  say(`Data and logs ${relative('', directory)}/`);
  say('Data is kept there for the next time (--fresh empties it). Everything stays up until Ctrl-C.');
  // Begun and ended: why a look fails, receiver and worker tell as well.
  const tell = (_: unknown, line = ''): void => say(line);
  const looking = { store, say, log: { info: tell, warn: tell } };
  for (const teller of [
    createFirstEventsTeller({ ...looking, sources: config.sources }),
    createRefusalTeller(looking),
  ]) {
    teller.start();
    closing.add('the look at what comes', () => teller.stop());
  }
  await Promise.race([aborted(signal), failure(processes.receiver), failure(processes.worker)]);
}

const isSet = (name: string): boolean => (process.env[name] ?? '') !== '';

/** Rejects when the process cannot be kept up. */
async function failure(process: { ended: Promise<InorderError> }): Promise<never> {
  throw await process.ended;
}
