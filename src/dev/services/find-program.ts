import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Every executable with one of these names, in the order of PATH and then of `moreDirectories`, each once. */
export function findPrograms(names: readonly string[], moreDirectories: readonly string[] = []): string[] {
  const directories = [...(process.env['PATH'] ?? '').split(delimiter), ...moreDirectories];
  const found = new Map<string, string>();
  for (const directory of directories.filter((entry) => entry !== '')) {
    for (const name of names) {
      const file = join(directory, name);
      if (isExecutable(file) && !found.has(realpathSync(file))) found.set(realpathSync(file), file);
    }
  }
  return [...found.values()];
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
