/**
 * The `.env` of the folder a command runs in, read by Node itself. A variable that is really set wins, also an empty
 * one, so that a shell, a container or a test decides.
 */
import { existsSync } from 'node:fs';
import { loadEnvFile as load } from 'node:process';
import { InorderError } from '../errors.ts';

export function loadEnvFile(file = '.env'): void {
  if (!existsSync(file)) return;
  try {
    load(file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new InorderError(
      'environment_invalid',
      `${file} is there and cannot be read (${code}); mend or move it`,
      {
        cause: error,
      },
    );
  }
}
