import type { Command } from 'commander';

/** Examples come first in help: most people look for one to copy. */
export function examples(command: Command, lines: [string, string][]): Command {
  const width = Math.max(...lines.map(([line]) => line.length));
  const text = lines.map(([line, what]) => `  ${line.padEnd(width)}  ${what}`).join('\n');
  return command.addHelpText('before', `Examples:\n${text}\n`);
}
