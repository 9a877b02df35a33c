import { loadEnvironment } from '../config/environment.ts';
import type { Environment } from '../config/environment.ts';
import { loadConfig } from '../config/load.ts';
import type { Config } from '../config/resolved.ts';
import type { ConfigOption } from './options.ts';

/** What a process is started with; anything wrong in either stops the start. */
export async function startFromFile(
  options: ConfigOption,
): Promise<{ config: Config; environment: Environment }> {
  const environment = loadEnvironment(process.env);
  const config = await loadConfig(options.config ?? environment.configFile);
  return { config, environment };
}
