/** `inorder doctor` over the real stack: all is well, and each thing that can be made wrong, made wrong. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connection } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runDoctor } from '../../../src/doctor/run-doctor.ts';
import type { DoctorOptions, DoctorReport } from '../../../src/doctor/run-doctor.ts';
import { startReceiver } from '../../../src/processes/receiver.ts';
import { connectLazily } from '../../../src/temporal/connection.ts';
import { database } from '../../../src/doctor/database.ts';
import { retention } from '../../../src/doctor/retention.ts';
import { searchAttributes } from '../../../src/doctor/search-attributes.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { openStore } from '../../../src/store/store.ts';
import type { SqlParam } from '../../../src/store/store.ts';
import { runCli } from '../cli/run-cli.ts';
import { startSystem } from '../processes/system.ts';
import type { System } from '../processes/system.ts';
import { setup } from '../setup.ts';

let system: System;
let variables: Record<string, string>;
beforeAll(async () => {
  system = await startSystem();
  const { environment, shop, receiver } = system;
  variables = {
    ...shop.environment,
    MYSQL_URL: environment.mysqlUrl,
    TEMPORAL_ADDRESS: environment.temporalAddress,
    INORDER_TASK_QUEUE: environment.taskQueue,
    INORDER_PORT: String(receiver.port),
  };
});
afterAll(() => system.world.cleanup());

const look = (
  more: Partial<DoctorOptions> & { set?: Record<string, string> } = {},
): Promise<DoctorReport> => {
  const { set = {}, ...options } = more;
  return runDoctor({
    variables: { ...variables, ...set },
    configFile: 'inorder.config.ts',
    canaryLimitMs: 20_000,
    ...options,
  });
};
const found = ({ findings }: DoctorReport, check: string) =>
  findings.filter((finding) => finding.check === check);
const verdicts = (report: DoctorReport, check: string) => found(report, check).map(({ verdict }) => verdict);

const rowsOfCanary = async () => {
  const tables = ['events', 'orders', 'journal'];
  const counts = await Promise.all(
    tables.map((table) =>
      system.store.query<{ total: string }>(
        `SELECT COUNT(*) AS total FROM ${table} WHERE environment = 'inorder-doctor'`,
      ),
    ),
  );
  const [bodies] = await system.store.query<{ total: string }>(
    'SELECT COUNT(*) AS total FROM bodies WHERE seq NOT IN (SELECT seq FROM events)',
  );
  return [...counts.map(([row]) => Number(row?.total)), Number(bodies?.total)];
};

describe('a stack that is well', () => {
  test('nothing fails, and the canary is taken away again', async () => {
    const report = await look();
    expect(report.findings.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    expect(report.ok).toBe(true);
    expect(found(report, 'canary')[0]?.seen).toMatch(
      /accepted after \d+ ms, decided after \d+ ms, past the receiver/,
    );
    expect(verdicts(report, 'workers')).toEqual(['ok', 'ok', 'ok', 'ok']);
    expect(verdicts(report, 'clock')).toEqual(['ok', 'ok', 'ok']);
    expect(verdicts(report, 'receivers')).toEqual(['ok']);
    expect(await rowsOfCanary()).toEqual([0, 0, 0, 0]);
  });

  test('with a secret of its own the canary goes through the receiver', async () => {
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const { config, environment, world } = system;
    const receiver = await startReceiver(config, {
      ...environment,
      canarySecret: secret,
      logLevel: 'silent',
    });
    world.defer(() => receiver.stop());
    const set = { INORDER_CANARY_SECRET: secret, INORDER_PORT: String(receiver.port) };
    const report = await look({ set });
    expect(found(report, 'canary')[0]).toMatchObject({
      verdict: 'ok',
      seen: expect.stringContaining(`through http://127.0.0.1:${receiver.port}`) as string,
    });
    expect(await rowsOfCanary()).toEqual([0, 0, 0, 0]);

    const other = `whsec_${randomBytes(32).toString('base64')}`;
    expect(found(await look({ set: { ...set, INORDER_CANARY_SECRET: other } }), 'canary')[0]).toMatchObject({
      verdict: 'fail',
      seen: expect.stringMatching(/answers 401/) as string,
    });
    const without = { ...set, INORDER_PORT: String(system.receiver.port) };
    expect(found(await look({ set: without }), 'canary')[0]?.seen).toMatch(/answers 404/);
  });
});

describe('what is wrong', () => {
  test('a clock that is off, by the database and by the provider', async () => {
    const report = await look({ now: () => Date.now() + 3_600_000 });
    expect(report.ok).toBe(false);
    expect(verdicts(report, 'clock')).toEqual(['fail', 'fail', 'fail']);
    expect(found(report, 'clock')[0]?.seen).toMatch(/^the database is .* behind$/);
  });

  test('nobody polls, and the canary waits for ever', async () => {
    const report = await look({ set: { INORDER_TASK_QUEUE: 'nobody' }, canaryLimitMs: 1_000 });
    expect(verdicts(report, 'workers')).toEqual(['fail', 'fail', 'fail', 'fail']);
    expect(found(report, 'canary')[0]).toMatchObject({
      verdict: 'fail',
      seen: expect.stringMatching(/accepted after .* not decided within 1 s/) as string,
    });
    expect(await rowsOfCanary()).toEqual([0, 0, 0, 0]);
  });

  test('no receiver; one that is told of fails, one that is guessed warns', async () => {
    const only = { INORDER_PORT: '1' };
    expect(verdicts(await look({ set: only }), 'receivers')).toEqual(['warn']);
    const set = { INORDER_PUBLIC_URL: 'http://127.0.0.1:1' };
    expect(verdicts(await look({ set }), 'receivers')).toEqual(['fail']);
  });

  test('tables that are missing, and what stands on them is not looked at', async () => {
    const { mysqlUrl } = await setup();
    const report = await look({ set: { MYSQL_URL: mysqlUrl } });
    expect(found(report, 'migrations')[0]).toMatchObject({ verdict: 'fail', fix: 'run `inorder migrate`' });
    expect(found(report, 'canary')[0]).toMatchObject({
      verdict: 'warn',
      seen: expect.stringContaining('not looked at') as string,
    });
  });

  test('tables that were altered, edited, or are of a newer version; a machine that has changed', async () => {
    const { mysqlUrl, defer } = await setup();
    const store = openStore(mysqlUrl);
    defer(() => store.close());
    await migrate(store);
    await store.write('ALTER TABLE links MODIFY order_id VARCHAR(255) NOT NULL');
    await store.write('INSERT INTO migrations (name, digest, applied_at) VALUES (?, ?, UTC_TIMESTAMP(6))', [
      '9999-later',
      Buffer.alloc(32),
    ]);
    await store.write(
      "INSERT INTO machines (name, version, digest, data, entered_at) VALUES ('order', 1, 'other', '{}', UTC_TIMESTAMP(6))",
    );
    const report = await look({ set: { MYSQL_URL: mysqlUrl }, canaryLimitMs: 1_000 });
    expect(found(report, 'columns')[0]).toMatchObject({
      verdict: 'fail',
      seen: expect.stringContaining('links.order_id') as string,
    });
    expect(found(report, 'migrations')[0]).toMatchObject({
      verdict: 'warn',
      seen: expect.stringContaining('9999-later') as string,
    });
    expect(found(report, 'machines')[0]).toMatchObject({ verdict: 'fail', of: 'order' });
    await store.write("UPDATE machines SET version = 7 WHERE name = 'order'");
    expect(
      found(await look({ set: { MYSQL_URL: mysqlUrl }, canaryLimitMs: 1_000 }), 'machines')[0],
    ).toMatchObject({
      verdict: 'warn',
      seen: "orders are decided by version 7, not by this configuration's version 1",
    });

    await store.write("UPDATE migrations SET digest = ? WHERE name = '0001-events'", [Buffer.alloc(32)]);
    expect(verdicts(await look({ set: { MYSQL_URL: mysqlUrl } }), 'migrations')).toEqual(['fail']);
  }, 120_000);

  test('a server that is not durable, and sessions that are not what they were told', async () => {
    const { store, environment, config } = system;
    // The run's server is shared: what it says is changed on the way, not the server.
    const query = async <Row>(sql: string, params: readonly SqlParam[] = []): Promise<Row[]> => {
      const rows = await store.query<Record<string, unknown>>(sql, params);
      const changed = rows.map((row) => ({
        ...row,
        ...('flush' in row ? { flush: '2' } : {}),
        ...(String(row['Variable_name']).includes('isolation') ? { Value: 'REPEATABLE-READ' } : {}),
      }));
      return changed as Row[];
    };
    const temporal = connectLazily(environment);
    const patient = { environment, config, temporal, now: Date.now, canaryLimitMs: 1_000 };
    const findings = await database.look({ ...patient, store: { ...store, query } });
    await temporal.close();
    expect(findings.map(({ verdict, seen }) => `${verdict} ${seen}`)).toEqual([
      expect.stringMatching(/^fail innodb_flush_log_at_trx_commit is 2/),
      expect.stringMatching(/^fail sessions run under REPEATABLE-READ/),
    ]);
    expect(findings[0]?.fix).toBe('Set it to 1.');
  });

  test('a database and a Temporal that are away', async () => {
    const report = await look({
      set: { MYSQL_URL: 'mysql://root@127.0.0.1:1/inorder', TEMPORAL_ADDRESS: '127.0.0.1:1' },
    });
    expect(found(report, 'database')[0]?.seen).toMatch(/^cannot be used/);
    expect(verdicts(report, 'temporal')).toEqual(['fail']);
    expect(verdicts(report, 'backlog')).toEqual(['warn']);
    expect(report.findings.filter(({ verdict }) => verdict === 'fail')).toHaveLength(2);
  }, 120_000);

  test('a namespace that lacks the search attributes and forgets too soon', async () => {
    const { environment, config, store, defer } = system;
    const connection = connectLazily(environment);
    defer(() => connection.close());
    const namespace = `bare-${randomBytes(4).toString('hex')}`;
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: { seconds: 86_400 as unknown as Long },
    });
    // A namespace is known to all of the server after some seconds.
    await expect
      .poll(() => addSearchAttribute(connection, namespace, 'InorderStatus').then(() => 'ok', String), {
        timeout: 30_000,
      })
      .toBe('ok');
    const patient = {
      ...{ environment: { ...environment, temporalNamespace: namespace }, store, temporal: connection },
      ...{ now: Date.now, canaryLimitMs: 1_000 },
    };
    await expect
      .poll(() => searchAttributes.look({ ...patient, config }), { timeout: 30_000 })
      .toEqual([
        {
          verdict: 'fail',
          seen: 'InorderStatus is not of the type Keyword',
          fix: expect.stringContaining('remove') as string,
        },
        {
          verdict: 'fail',
          seen: 'InorderAttention is not registered',
          fix: expect.stringContaining('create') as string,
        },
        {
          verdict: 'fail',
          seen: 'InorderSource is not registered',
          fix: expect.stringContaining('create') as string,
        },
      ]);

    expect(await retention.look({ ...patient, config })).toMatchObject([{ verdict: 'ok' }]);
    const sources = new Map(
      [...config.sources].map(([name, source]) => [
        name,
        { ...source, provider: { ...source.provider, retryWindowMs: 3 * 86_400_000 } },
      ]),
    );
    expect(await retention.look({ ...patient, config: { ...config, sources } })).toMatchObject([
      {
        verdict: 'warn',
        seen: expect.stringContaining('remembered for 24h, and a provider repeats for 3d') as string,
        fix: `temporal operator namespace update --retention 72h ${namespace}`,
      },
    ]);
  }, 120_000);

  test('secrets that were copied badly, or end', async () => {
    const soon = new Date(Date.now() + 86_400_000).toISOString();
    const config = await configWith(
      `{ ...source, secrets: [{ id: 'a', value: ' whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0', until: '${soon}' }] }`,
    );
    const report = await look({ configFile: config.file, canaryLimitMs: 1_000 });
    await config.remove();
    expect(found(report, 'secrets').map(({ verdict, of }) => `${of} ${verdict}`)).toEqual([
      'shop fail',
      'shop warn',
    ]);
    expect(JSON.stringify(report)).not.toContain('c2VjcmV0');
  });

  test('events that found no order, with the field that could name it and without its value', async () => {
    const { store, sendBody } = system;
    for (let i = 0; i < 5; i += 1) {
      const body = {
        id: `u${i}`,
        type: 'payment.captured',
        object: { kind: 'payment', id: `up${i}` },
        version: 1,
        data: { orderNumber: `hidden-${i}` },
      };
      expect(await sendBody(`payment:up${i}`, body.id, JSON.stringify(body))).toBe(202);
    }
    await store.write(
      "UPDATE events SET received_at = received_at - INTERVAL 2 MINUTE WHERE source = 'payments'",
    );
    const report = await look();
    const [, payments] = found(report, 'orders found');
    expect(payments).toMatchObject({ verdict: 'warn', of: 'payments' });
    expect(payments?.seen).toContain('5 found no order');
    expect(JSON.stringify(report)).not.toContain('hidden');
  });

  test('an environment or a configuration that does not hold', async () => {
    const report = await look({ set: { INORDER_PORT: 'x', SHOP_API_URL: 'nowhere' } });
    expect(verdicts(report, 'environment')).toEqual(['fail']);
    expect(found(report, 'configuration')[0]).toMatchObject({ verdict: 'fail', of: 'sources.shop.apiBase' });
    expect(report.findings.filter(({ verdict }) => verdict === 'ok')).toEqual([]);
  });
});

describe('inorder doctor', () => {
  test('tells what it sees, as a table and as JSON', async () => {
    const good = await runCli(['doctor'], { env: variables });
    expect({ code: good.code, last: good.stdout.trim().split('\n').at(-1) }).toMatchObject({ code: 0 });
    expect(good.stdout).toMatch(/^ok {4}database /m);
    expect(good.stderr).toMatch(/^canary: ok$/m);
    const bad = await runCli(['doctor', '--json'], {
      env: { ...variables, INORDER_PUBLIC_URL: 'http://127.0.0.1:1' },
    });
    expect(bad.code).toBe(1);
    const report = JSON.parse(bad.stdout) as DoctorReport;
    expect(report.ok).toBe(false);
    expect(verdicts(report, 'receivers')).toEqual(['fail']);
  });
});

describe('a worker that was stopped', () => {
  test('is missed by the canary at once, and by its queue when its last poll is long ago', async () => {
    await system.stopWorkers();
    const report = await look({ now: () => Date.now() + 120_000, canaryLimitMs: 1_000 });
    expect(verdicts(report, 'workers')).toEqual(['fail', 'fail', 'fail', 'fail']);
    expect(verdicts(report, 'canary')).toEqual(['fail']);
    expect(await rowsOfCanary()).toEqual([0, 0, 0, 0]);
  });
});

/** The demo's machine with one source, changed. */
async function configWith(source: string): Promise<{ file: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'inorder-doctor-'));
  const file = join(folder, 'inorder.config.ts');
  await writeFile(
    file,
    `import { defineConfig, env, http } from 'inorder';
     import { order } from '${join(process.cwd(), 'machines/order.ts')}';
     const call = http({ url: env('EFFECTS_URL'), secret: env('EFFECTS_SECRET'), allowPrivate: true });
     const source = { provider: 'sandbox', environment: 'demo', machine: 'order', unknownTypes: 'reject',
       secrets: [{ id: 'a', value: env('SHOP_WEBHOOK_SECRET') }] };
     export default defineConfig({ machines: [order], sources: { shop: ${source} },
       effects: Object.fromEntries(Object.keys(order.effects).map((name) => [name, call])) });`,
  );
  return { file, remove: () => rm(folder, { recursive: true }) };
}

/** As somebody else has it: a number. */
const addSearchAttribute = (connection: Connection, namespace: string, name: string): Promise<unknown> =>
  connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries([[name, 3]]),
  });
