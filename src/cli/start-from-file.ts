import { environmentMessage, readEnvironment } from '../config/environment.ts';
import type { Environment } from '../config/environment.ts';
import type { CheckOptions } from '../config/check.ts';
import { checkConfigFile, configMessage } from '../config/load.ts';
import type { Config } from '../config/resolved.ts';
import { InorderError } from '../errors.ts';
import { configFileOf } from './config-file.ts';
import type { ConfigOption } from './options.ts';

/** What a process is started with; anything wrong in either stops the start, with everything that is wrong in both. */
export async function startFromFile(
  options: ConfigOption,
  checking: CheckOptions = {},
): Promise<{ config: Config; environment: Environment }> {
  const read = readEnvironment(process.env);
  const file = configFileOf(options);
  const checked = await checkConfigFile(file, process.env, checking);
  if ('config' in checked && 'environment' in read)
    return { config: checked.config, environment: read.environment };
  const messages = [
    ...('problems' in read ? [environmentMessage(read.problems)] : []),
    ...('problems' in checked ? [configMessage(file, checked.problems)] : []),
  ];
  const code = 'problems' in checked ? 'config_invalid' : 'environment_invalid';
  const cause = 'problems' in checked ? checked.cause : undefined;
  throw new InorderError(code, messages.join('\n'), { cause });
}
