/**
 * inorder's receiver or worker in the proof: `inorder-process receiver|worker <folder>`. It differs from an operator's in
 * one thing: where it comes to a point whose name lies in that folder as a file, it takes the file away and kills itself,
 * with SIGKILL.
 */
import { existsSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { startFromFile } from '../../cli/start-from-file.ts';
import { createLog } from '../../log.ts';
import { startReceiver } from '../../processes/receiver.ts';
import { untilStopped } from '../../processes/until-stopped.ts';
import { startWorker } from '../../processes/worker.ts';

const [, , name = '', folder = ''] = process.argv;

/** Of several processes that come there at once, one takes the file. */
function at(point: string): Promise<void> {
  const file = join(folder, point);
  if (!existsSync(file)) return Promise.resolve();
  try {
    unlinkSync(file);
  } catch {
    return Promise.resolve();
  }
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {});
}

const { config, environment } = await startFromFile({});
const log = createLog(environment.logLevel, name);
const options = { log, at };
const running =
  name === 'receiver'
    ? await startReceiver(config, environment, options)
    : await startWorker(config, environment, options);
await untilStopped(log, () => running.stop());
