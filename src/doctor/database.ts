/** Whether the database is there, is new enough, and keeps what it says it keeps. */
import { InorderError } from '../errors.ts';
import { checkSettings, readSettings } from '../store/settings.ts';
import { fail, ok, warn } from './check.ts';
import type { Check, Finding } from './check.ts';

export const database: Check = {
  name: 'database',
  needs: ['environment'],
  async look({ store }) {
    let report;
    try {
      report = await checkSettings(store);
    } catch (error) {
      const { code, message } = InorderError.from(error);
      if (code === 'store_settings') return [fail(message, 'use a newer server')];
      return [fail(`cannot be used: ${message}`, 'start it, or mend MYSQL_URL')];
    }
    const settings = await readSettings(store);
    const found: Finding[] = report.problems.map((problem) => {
      const [seen = problem, fix = 'see the manual of your server'] = problem.split(/\. (?=Set )/);
      return { ...fail(seen, fix), isUsable: true };
    });
    if (settings.get('log_bin') === 'ON' && settings.get('sync_binlog') !== '1') {
      found.push(
        warn(
          `sync_binlog is ${settings.get('sync_binlog')}: after a crash of its machine a replica or a restored backup ` +
            'may lack deliveries that were answered 2xx',
          'set sync_binlog to 1',
        ),
      );
    }
    if (settings.get('innodb_doublewrite') === 'OFF') {
      found.push(
        warn(
          'innodb_doublewrite is OFF: a power cut can tear a page, and with it rows that were committed',
          'set innodb_doublewrite to ON, unless the file system writes whole pages',
        ),
      );
    }
    const isolation = settings.get('transaction_isolation') ?? settings.get('tx_isolation') ?? '';
    if (isolation !== 'READ-COMMITTED') {
      const seen = `sessions run under ${isolation} although READ COMMITTED was asked for`;
      const fix = 'connect to the server itself; a pool between resets what a session was told';
      found.push({ ...fail(seen, fix), isUsable: true });
    }
    return found.length > 0 ? found : [ok(`${report.version}, durable commits, READ COMMITTED`)];
  },
};
