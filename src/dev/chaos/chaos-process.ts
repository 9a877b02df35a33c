/**
 * One receiver or worker under chaos, started by the stage with the variables that an operator sets:
 * `chaos-process <receiver|worker> <number> <url of the points> <file of its clock>`. At each named point of its work it asks
 * whether something is to happen there.
 */
import { loadEnvironment } from '../../config/environment.ts';
import { loadConfig } from '../../config/load.ts';
import { runReceiver } from '../../processes/receiver.ts';
import { runWorker } from '../../processes/worker.ts';
import { arriveAt } from '../crash-points.ts';
import { followClock } from './clock.ts';

const [name, number, pointsUrl = '', clockFile = ''] = process.argv.slice(2);
followClock(clockFile);
const environment = loadEnvironment(process.env);
const config = await loadConfig(environment.configFile);
if (name === 'receiver') {
  await runReceiver(config, environment, { at: arriveAt(pointsUrl, 'receiver', Number(number)) });
} else {
  await runWorker(config, environment, { at: arriveAt(pointsUrl, 'worker', Number(number)) });
}
