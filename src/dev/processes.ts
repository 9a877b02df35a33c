/** Receiver and worker as an operator starts them, on free loopback ports. */
import { join } from 'node:path';
import type { Closing } from '../processes/closing.ts';
import { findFreePort } from './services/free-port.ts';
import { Supervised } from './supervised.ts';

export interface Processes {
  receiver: Supervised;
  worker: Supervised;
  webhooksUrl: string;
  /** Of the receiver's private listener. */
  operationsUrl: string;
}

export interface ProcessesOptions {
  /** The caller's own: see ownDirectory. */
  directory: string;
  environment: Record<string, string>;
  /** The receiver's public and private port; 0: free ones. */
  ports: { port: number; operationsPort: number };
  /** A machine of the same version that reads otherwise replaces the entered one, as a table is being written. */
  replacesMachines: boolean;
  closing: Closing;
  signal: AbortSignal;
}

export async function startProcesses(options: ProcessesOptions): Promise<Processes> {
  const { directory, environment, closing, signal } = options;
  // Known before the start, so that a killed receiver comes back where its senders look for it.
  const port = options.ports.port || (await findFreePort());
  const operationsPort = options.ports.operationsPort || (await findFreePort());
  const workerOperationsPort = await findFreePort();
  const host = '127.0.0.1';
  const processesDirectory = join(directory, 'processes');
  const start = async (name: 'receiver' | 'worker', own: Record<string, string>, readyUrl: string) => {
    const started = await Supervised.start({
      name,
      args: name === 'worker' && options.replacesMachines ? ['--replace-machines'] : [],
      directory: processesDirectory,
      environment: { ...environment, INORDER_HOST: host, INORDER_OPERATIONS_HOST: host, ...own },
      readyUrl,
    });
    closing.add(`the ${name}`, () => started.stop());
    return started;
  };
  const receiver = await start(
    'receiver',
    { INORDER_PORT: String(port), INORDER_OPERATIONS_PORT: String(operationsPort) },
    `http://${host}:${port}/readyz`,
  );
  const worker = await start(
    'worker',
    { INORDER_OPERATIONS_PORT: String(workerOperationsPort) },
    `http://${host}:${workerOperationsPort}/metrics`,
  );
  await Promise.all([receiver.ready(signal), worker.ready(signal)]);
  return {
    receiver,
    worker,
    webhooksUrl: `http://${host}:${port}/webhooks`,
    operationsUrl: `http://${host}:${operationsPort}`,
  };
}
