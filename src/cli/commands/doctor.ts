import type { Command } from 'commander';
import type { DoctorReport } from '../../doctor/run-doctor.ts';
import { EXIT } from '../report.ts';
import { examples } from '../examples.ts';
import { withConfig, withJson } from '../options.ts';
import type { ConfigOption, JsonOption } from '../options.ts';

export function addDoctor(program: Command): void {
  const command = program
    .command('doctor')
    .description(
      'Looks at everything that has to be right, sends a canary the whole way, and says how to mend what is not.',
    )
    .option(
      '--store',
      'compare all that is stored with itself instead; nothing is written, everything may run',
    )
    .action(async (options: ConfigOption & JsonOption & { store?: boolean }) => {
      if (options.store === true) {
        const { runStoreCheck } = await import('../run-store-check.ts');
        return runStoreCheck(options);
      }
      const { printJson } = await import('../print.ts');
      const { progress } = await import('../progress-line.ts');
      const { configFileOf } = await import('../config-file.ts');
      const { runDoctor } = await import('../../doctor/run-doctor.ts');
      const line = progress();
      const report = await runDoctor({
        variables: process.env,
        configFile: configFileOf(options),
        onLook: (name) => line.show(`looking at ${name} …`),
        onFound: (name, verdict) => line.done(`${name}: ${verdict}`),
      });
      line.clear();
      if (!report.ok) process.exitCode = EXIT.failed;
      if (options.json) printJson(report);
      else await tell(report);
    });
  examples(withJson(withConfig(command)), [
    ['inorder doctor', 'before a start, and when something is odd'],
    ['inorder doctor --json', 'for a monitor; status 1 if a check fails'],
    [
      'inorder doctor --store',
      'do orders, journal, events and effects agree? after a restore, or a crash of the server',
    ],
  ]);
}

async function tell({ findings }: DoctorReport): Promise<void> {
  const { colours, plain, print } = await import('../print.ts');
  const { count } = await import('../count.ts');
  const colour = { ok: colours.green, warn: colours.yellow, fail: colours.red };
  const width = Math.max(...findings.map(({ check }) => check.length));
  for (const [index, { check, of, verdict, seen, fix }] of findings.entries()) {
    const name = findings[index - 1]?.check === check ? '' : check;
    const about = of === undefined ? '' : `${colours.bold(plain(of))}: `;
    print(`${colour[verdict](verdict.padEnd(4))}  ${name.padEnd(width)}  ${about}${plain(seen)}`);
    if (fix !== null) print(`${' '.repeat(width + 8)}→ ${plain(fix)}`);
  }
  const number = (verdict: string) => findings.filter((finding) => finding.verdict === verdict).length;
  print('');
  print(
    number('fail') + number('warn') === 0
      ? 'All is well.'
      : `${number('fail')} failed, ${count(number('warn'), 'warning')}.`,
  );
}
