import type { Command } from 'commander';
import { examples } from '../examples.ts';
import { withConfig, withJson } from '../options.ts';
import type { ConfigOption, JsonOption } from '../options.ts';
import { EXIT } from '../report.ts';
import { parseInstant } from '../time.ts';

interface VerifyOptions extends ConfigOption, JsonOption {
  headers?: string;
  body?: string;
  event?: string;
  at?: number;
}

export function addVerify(program: Command): void {
  const command = program
    .command('verify <source>')
    .description(
      'Says why the signature of a webhook holds or fails, and what inorder makes of it; sends nothing.',
    )
    .option('--headers <file>', 'its headers: `Name: value` lines, output of curl -v, or JSON')
    .option('--body <file>', 'its body, byte for byte')
    .option('--event <id>', 'instead of files: an event that is stored (needs MYSQL_URL)')
    .option('--at <when>', "judge it as at this instant, or so long ago ('15m'); default: now", parseInstant)
    .action(async (name: string, options: VerifyOptions) => {
      const { configFileOf } = await import('../config-file.ts');
      const { loadConfig } = await import('../../config/load.ts');
      const { findSource } = await import('../find-source.ts');
      const { readRequest } = await import('../read-request.ts');
      const { verifyDelivery } = await import('../../operations/verify-delivery.ts');
      const { printVerification } = await import('../print-verification.ts');
      const { printJson } = await import('../print.ts');
      const config = await loadConfig(configFileOf(options), process.env, { skipsProofs: true });
      const source = findSource(config, name);
      const verification = verifyDelivery(config, source, await readRequest(source.name, options));
      if (options.json) printJson(verification);
      else printVerification(verification);
      if (!verification.taken) process.exitCode = EXIT.failed;
    });
  examples(withJson(withConfig(command)), [
    ['inorder verify stripe --headers headers.txt --body body.json', 'a request that you saved'],
    ['inorder verify stripe --headers headers.txt --body body.json --at 2h', 'as it was judged when it came'],
    ['inorder verify shop --event evt_000042', 'what is stored, once more'],
  ]);
}
