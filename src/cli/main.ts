/** The command line's entry: runs one command and turns its end into an exit code. Knows no command by name. */
import { Console } from 'node:console';
import { CommanderError } from 'commander';
import { loadEnvFile } from './env-file.ts';
import { createProgram } from './program.ts';
import { exitCodeOf, report } from './report.ts';

// What a team's own files print is talk: between data it would break whatever reads stdout.
globalThis.console = new Console(process.stderr, process.stderr);

// `inorder events list | head` closes the pipe early: that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
  throw error;
});

try {
  loadEnvFile();
  await createProgram().parseAsync(process.argv);
} catch (thrown) {
  if (thrown instanceof CommanderError) {
    // Commander has said what was wrong; help and version that were asked for end with 0.
    process.exitCode = thrown.exitCode === 0 ? 0 : 2;
  } else {
    report(thrown);
    process.exitCode = exitCodeOf(thrown);
  }
}
