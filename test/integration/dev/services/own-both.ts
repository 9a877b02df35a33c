/** A command of its own that starts both services in two directories, says so on stdout, and waits to be killed. */
import { startMysql } from '../../../../src/dev/services/mysql.ts';
import { startTemporal } from '../../../../src/dev/services/temporal.ts';

const [mysqlDir = '', temporalDir = ''] = process.argv.slice(2);
const announce = () => undefined;
const [mysql, temporal] = await Promise.all([
  startMysql({ dataDir: mysqlDir, announce }),
  startTemporal({ dataDir: temporalDir, announce }),
]);
process.stdout.write(`${JSON.stringify({ mysql: mysql.pid, temporal: temporal.pid, url: mysql.url })}\n`);
setInterval(() => undefined, 60_000);
