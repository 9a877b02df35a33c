/** How a person's request ended. A refusal changed nothing, says why on stderr and ends the command with 1. */
import type { UpdateResult } from '../../workflows/messages.ts';
import { InorderError } from '../errors.ts';
import type { OrderKey } from '../ordering/state.ts';
import type { JsonOption } from './options.ts';
import { plain, print, printJson, say } from './print.ts';
import { EXIT } from './report.ts';

export function printUpdate(result: UpdateResult | null, key: OrderKey, { json }: JsonOption): void {
  if (result === null) throw new InorderError('order_unknown', `The order '${key.id}' went away.`);
  const { refused, status, revision } = result;
  if (refused !== null) process.exitCode = EXIT.failed;
  if (json) return printJson(result);
  const name = plain(`${key.machine}/${key.environment}/${key.id}`);
  if (refused === null) return print(`${name}: done; ${status}, revision ${revision}`);
  say(`Refused, nothing changed: ${plain(refused)}.`);
  say(`${name} is ${status}, revision ${revision}; 'inorder orders show ${name}' tells what waits.`);
}
