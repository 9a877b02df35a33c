import { resolve } from 'node:path';
import { VARIABLES } from '../config/environment.ts';
import type { ConfigOption } from './options.ts';

/** The configuration that a command means, also where the rest of the environment is not usable. */
export function configFileOf({ config }: ConfigOption): string {
  const { name, default: byDefault } = VARIABLES.configFile;
  const named = process.env[name] ?? '';
  return resolve(config ?? (named === '' ? (byDefault ?? '') : named));
}
