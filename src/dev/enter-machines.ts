/**
 * A table is changed many times while it is written, and a version a time would be a burden: dev lets a changed
 * machine replace the one it has entered before, and says so. Orders that are kept may stand where the new table has
 * no status any more; then nothing starts.
 */
import { InorderError } from '../errors.ts';
import { enterMachine, type EnteredMachine } from '../store/machines.ts';
import { migrate } from '../store/migrate.ts';
import type { Store } from '../store/store.ts';

/** Returns what a person should know of it. `advice`: what else there is to do than to mend a machine. */
export async function enterMachines(
  store: Store,
  machines: Iterable<EnteredMachine>,
  advice: string,
): Promise<string[]> {
  await migrate(store);
  const lines: string[] = [];
  for (const entry of machines) {
    if ((await enter(store, entry, advice)) !== 'replaced') continue;
    const { name, version } = entry.machine;
    lines.push(
      `Machine ${name} version ${version} has changed; kept orders go on with the new table (development only).`,
    );
  }
  return lines;
}

async function enter(store: Store, entry: EnteredMachine, advice: string) {
  try {
    return await enterMachine(store, entry, { replace: true });
  } catch (error) {
    if (!(error instanceof InorderError && error.code === 'machine_changed')) throw error;
    throw new InorderError(error.code, `${error.message} ${advice}`.trimEnd(), { cause: error });
  }
}
