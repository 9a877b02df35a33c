/**
 * A port of the receiver that somebody else has is refused before anything is started: whoever answers there would
 * count as our receiver, and what is sent to it would go to somebody else's database.
 */
import { VARIABLES } from '../config/environment.ts';
import { InorderError } from '../errors.ts';
import { isPortTaken } from './services/free-port.ts';

export async function refuseTakenPorts(ports: { port: number; operationsPort: number }): Promise<void> {
  const named = [
    [VARIABLES.port.name, ports.port],
    [VARIABLES.operationsPort.name, ports.operationsPort],
  ] as const;
  const looked = await Promise.all(
    named.map(async ([name, port]) => ({ name, port, isTaken: port !== 0 && (await isPortTaken(port)) })),
  );
  const taken = looked.filter(({ isTaken }) => isTaken);
  if (taken.length === 0) return;
  const which = taken.map(({ name, port }) => `${port} (${name})`).join(' and ');
  const isOne = taken.length === 1;
  throw new InorderError(
    'service_failed',
    `${isOne ? 'Port' : 'Ports'} ${which} ${isOne ? 'is' : 'are'} taken, perhaps by another \`inorder dev\`: ` +
      `end what has ${isOne ? 'it' : 'them'}, or take others, in the shell or in .env: ` +
      taken.map(({ name, port }) => `${name}=${port + 10}`).join(' '),
  );
}
