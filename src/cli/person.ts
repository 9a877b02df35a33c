/** Who says it and why: stands in the journal, so neither may be empty. */
import { userInfo } from 'node:os';
import type { PersonsRequest } from '../../workflows/messages.ts';
import { InorderError } from '../errors.ts';
import type { PersonOption } from './options.ts';

export function personOf({ actor = systemUser(), reason }: PersonOption): PersonsRequest {
  if (actor.trim() === '') throw new InorderError('usage', 'Nobody is known here by name: say --actor NAME.');
  if (reason.trim() === '') throw new InorderError('usage', 'Say why with --reason; it is journalled.');
  return { actor: actor.trim(), reason: reason.trim() };
}

/** A container may run as a number that has no name. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}
