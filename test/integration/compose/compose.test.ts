/**
 * docker-compose.yml and the Dockerfile, without Docker: the image is built by its own steps, and every service of
 * inorder is started from it by its own command, environment and health check, against the run's servers.
 */
import { execFile, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { VARIABLES } from '../../../src/config/environment.ts';
import { startEffectReceiver } from '../../../src/dev/traffic/effect-receiver.ts';
import { findFreePort } from '../../../src/dev/services/free-port.ts';
import { findTemporal } from '../../../src/dev/services/temporal-program.ts';
import { connectLazily } from '../../../src/temporal/connection.ts';
import { setup } from '../setup.ts';
import type { World } from '../setup.ts';
import { buildImage, contextNames, readDockerfile } from './build-image.ts';
import type { Image } from './build-image.ts';
import { interpolate, readCompose, seconds } from './compose-file.ts';
import type { Service } from './compose-file.ts';

const run = promisify(execFile);
const PASSWORDS = { MYSQL_PASSWORD: 'a1', MYSQL_ROOT_PASSWORD: 'b2', TEMPORAL_DATABASE_PASSWORD: 'c3' };
const compose = readCompose(PASSWORDS);
const { services } = compose;
const missing = (): never => {
  throw new Error('docker-compose.yml has no such service');
};
const own = Object.entries(services).filter(([, { build }]) => build !== undefined);

describe('docker-compose.yml', () => {
  test('starts in an order in which each finds what it needs, and a receiver needs no Temporal', () => {
    for (const [name, { depends_on: needs = {} }] of Object.entries(services)) {
      for (const [needed, { condition }] of Object.entries(needs)) {
        const service = services[needed];
        expect({ name, needed, isThere: service !== undefined }).toMatchObject({ isThere: true });
        if (condition === 'service_healthy')
          expect({ needed, test: service?.healthcheck?.test }).toMatchObject({ test: expect.any(Array) });
        else expect({ needed, ends: service?.restart }).toEqual({ needed, ends: 'on-failure:5' });
      }
    }
    expect(own.map(([name]) => name)).toEqual(['migrate', 'receiver', 'worker']);
    expect(services['receiver']?.depends_on).toEqual({
      migrate: { condition: 'service_completed_successfully' },
    });
  });

  test('names every image by its version, and every volume and file that is used', () => {
    for (const [name, { image, volumes = [], configs = [] }] of Object.entries(services)) {
      expect({ name, image }).toMatchObject({ image: expect.stringMatching(/^[\w./-]+:\d+\.\d+(\.\d+)?$/) });
      for (const volume of volumes) {
        const [from = ''] = volume.split(':');
        if (!from.startsWith('.')) expect(Object.keys(compose.volumes)).toContain(from);
      }
      for (const { source } of configs) expect(Object.keys(compose.configs)).toContain(source);
    }
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    for (const [, { image }] of own) expect(image).toBe(`inorder:${version}`);
  });

  test('sets only variables that inorder knows, and publishes nothing beyond this machine', () => {
    const known = Object.values(VARIABLES).map(({ name }) => name);
    for (const [, { environment = {} }] of own) {
      for (const name of Object.keys(environment)) expect(known).toContain(name);
    }
    for (const { ports = [] } of Object.values(services)) {
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
    }
    expect(services['receiver']?.ports).toEqual([`127.0.0.1:8080:${VARIABLES.port.default ?? ''}`]);
  });

  test('gives whatever runs on a restart, a bounded log, and longer to stop than its process takes', () => {
    for (const [name, service] of Object.entries(services)) {
      if (service.restart === 'on-failure:5') continue;
      expect({ name, restart: service.restart, init: service.build === undefined || service.init }).toEqual({
        ...{ name, restart: 'unless-stopped', init: true },
      });
      if (name !== 'temporal-ui')
        expect({ name, logging: service.logging }).toMatchObject({ logging: { driver: 'json-file' } });
    }
    const longest = (file: string, pattern: RegExp) =>
      Number(pattern.exec(readFileSync(file, 'utf8'))?.[1]?.replace('_', ''));
    const receiverMs = longest('src/receiver/server.ts', /stopTimeoutMs: ([\d_]+)/);
    const workerS = longest('src/temporal/order-workers.ts', /shutdownForceTime: '(\d+)s'/);
    expect(seconds(services['receiver']?.stop_grace_period) * 1_000).toBeGreaterThan(receiverMs * 1.5);
    expect(seconds(services['worker']?.stop_grace_period)).toBeGreaterThan(workerS * 2);
  });

  test('stops with what is missing when a password is not set, and has none of its own', () => {
    for (const name of Object.keys(PASSWORDS)) {
      expect(() => readCompose({ ...PASSWORDS, [name]: '' })).toThrow(`${name}: set it in .env`);
    }
    expect(interpolate(['$$HOME', '$', '{A:-b}'].join(''), {})).toBe('$HOMEb');
  });

  test('asks MySQL to keep what was answered', () => {
    expect(services['mysql']?.command).toEqual(
      expect.arrayContaining(['--innodb-flush-log-at-trx-commit=1', '--sync-binlog=1']),
    );
  });
});

describe('the Dockerfile', () => {
  test('stands on a version of Node that inorder takes, and lets nothing else in than it copies', () => {
    const steps = readDockerfile();
    const bases = steps.filter(({ instruction, rest }) => instruction === 'FROM' && rest.includes(':'));
    expect(bases.map(({ rest }) => rest)).toEqual([
      expect.stringMatching(/^node:2[0-9]\.\d+\.\d+-[a-z]+-slim AS base$/),
    ]);
    const copied = steps
      .filter(({ instruction, rest }) => instruction === 'COPY' && !rest.startsWith('--from'))
      .flatMap(({ rest }) => rest.split(' ').slice(0, -1));
    expect([...contextNames()].toSorted()).toEqual([...new Set(copied)].toSorted());
  });
});

describe('built and started as the files say', () => {
  let image: Image;
  let world: World;
  const folder = mkdtempSync(join(tmpdir(), 'inorder-compose-'));
  const started: Started[] = [];

  beforeAll(async () => {
    world = await setup();
    image = await buildImage();
    const effects = await startEffectReceiver({ seed: 'compose', secret: 'not looked at' });
    world.defer(() => effects.close());
    // As docs/deploy.md says: written by init, and what only the team knows filled in.
    const program = join(image.root, 'app/bin/inorder.js');
    const answers = ['--provider', 'standard-webhooks', '--environment', 'test', '--yes'];
    await run(process.execPath, [program, 'init', 'shop', ...answers], { cwd: folder });
    const file = join(folder, 'shop/.env');
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(/^EFFECTS_URL=$/m, `EFFECTS_URL=${effects.url}/effects`),
    );
  }, 300_000);

  afterAll(async () => {
    for (const { stop } of started) await stop('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
    if (image !== undefined) await rm(dirname(image.root), { recursive: true, force: true });
    await world.cleanup();
  }, 120_000);

  /** As Docker would give it to the container, with the run's servers in the place of the services' names. */
  function environmentOf(service: Service, ports: Record<string, string>): Record<string, string> {
    const lines = readFileSync(join(folder, service.env_file?.[0] ?? ''), 'utf8').matchAll(/^(\w+)=(.*)$/gm);
    const fromFile = Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]));
    const environment = { ...image.environment, ...fromFile, ...service.environment };
    expect(environment).toMatchObject({
      MYSQL_URL: 'mysql://inorder:a1@mysql:3306/inorder',
      TEMPORAL_ADDRESS: 'temporal:7233',
    });
    const mounted = (service.volumes ?? []).map((volume) => volume.split(':') as [string, string, string]);
    // The mount: a file of the image's /config is the file of the team's folder.
    for (const [from, to, mode] of mounted) {
      expect(mode).toBe('ro');
      cpSync(join(folder, from), join(image.root, to), { recursive: true });
    }
    return {
      ...environment,
      PATH: process.env['PATH'] ?? '',
      MYSQL_URL: world.mysqlUrl,
      TEMPORAL_ADDRESS: world.temporalAddress,
      INORDER_CONFIG: join(image.root, environment['INORDER_CONFIG'] ?? ''),
      ...ports,
    };
  }

  interface Started {
    log: () => string;
    ended: Promise<number | null>;
    stop: (signal: NodeJS.Signals) => Promise<number | null>;
  }

  function start(name: string, ports: Record<string, string> = {}): Started {
    const service = services[name];
    if (service === undefined) return missing();
    const [command = '', ...first] = image.entrypoint.map((word) =>
      word.replace(/^\/app/, join(image.root, 'app')),
    );
    expect(command).toBe('node');
    const child = spawn(process.execPath, [...first, ...(service.command ?? [])], {
      cwd: join(image.root, image.workingDirectory),
      env: environmentOf(service, ports),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const stop = (signal: NodeJS.Signals): Promise<number | null> => {
      child.kill(signal);
      return ended;
    };
    const one = { log: () => text, ended, stop };
    started.push(one);
    return one;
  }

  /** The check's own command; inside a container its port is free. */
  async function isHealthy(test: string[] | undefined, port: string): Promise<boolean> {
    const words = test?.[0] === 'CMD' ? test.slice(1) : (test ?? []);
    expect(words[0]).toBe('node');
    const argv = words.slice(1).map((word) => word.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`));
    return run(process.execPath, argv).then(
      () => true,
      () => false,
    );
  }

  test('the image holds what it runs and nothing of the development', async () => {
    expect(image).toMatchObject({ user: 'node', exposed: ['8080', '8081'] });
    const ls = async (path: string) => (await run('ls', [join(image.root, path)])).stdout.trim().split('\n');
    expect(await ls('app')).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'bin',
      'dist',
      'node_modules',
      'package.json',
    ]);
    expect(await ls('app/node_modules')).not.toEqual(expect.arrayContaining(['typescript']));
    expect(await ls('app/node_modules/@temporalio/core-bridge/releases')).toHaveLength(1);
  });

  test('its namespace is made once and keeps what is closed for longer than a week', async () => {
    const program = await findTemporal('.inorder/tools', () => {});
    const { entrypoint = [], command = [], environment = {} } = services['temporal-namespace'] ?? {};
    const env = {
      ...environment,
      TEMPORAL_ADDRESS: world.temporalAddress,
      PATH: `${dirname(program)}:${process.env['PATH'] ?? ''}`,
    };
    const [shell = '', ...words] = [...entrypoint, ...command];
    // At each start: the second finds it made.
    for (let time = 0; time < 2; time++) await run(shell, words, { env });
    const connection = connectLazily({ temporalAddress: world.temporalAddress });
    world.defer(() => connection.close());
    const described = await connection.workflowService.describeNamespace({ namespace: 'inorder' });
    expect(Number(described.config?.workflowExecutionRetentionTtl?.seconds)).toBeGreaterThan(7 * 86_400);
  }, 60_000);

  test('migrate ends, then receiver and worker take a webhook to its end, and stop in order', async () => {
    const migrated = start('migrate');
    expect({ code: await migrated.ended, log: migrated.log() }).toMatchObject({ code: 0 });

    const [port, receiverOperations, workerOperations] = await Promise.all([
      findFreePort(),
      findFreePort(),
      findFreePort(),
    ]).then((ports) => ports.map(String) as [string, string, string]);
    const receiver = start('receiver', { INORDER_PORT: port, INORDER_OPERATIONS_PORT: receiverOperations });
    const worker = start('worker', { INORDER_OPERATIONS_PORT: workerOperations });
    const healthy = async () => [
      await isHealthy(services['receiver']?.healthcheck?.test, port),
      await isHealthy(image.healthcheck, receiverOperations),
      await isHealthy(services['worker']?.healthcheck?.test, workerOperations),
    ];
    await expect.poll(healthy, { timeout: 90_000, interval: 500 }).toEqual([true, true, true]);

    const command = (...args: string[]) => {
      const env = { ...environmentOf(services['worker'] ?? missing(), {}), INORDER_PORT: port };
      return run(process.execPath, [join(image.root, 'app/bin/inorder.js'), ...args], { cwd: folder, env });
    };
    const told = await command('simulate', 'shop', 'order.created', '--order', 'compose-1042');
    expect(told.stdout).toContain('202 accepted');
    const show = (): Promise<string> =>
      command('orders', 'show', 'compose-1042', '--json').then(
        ({ stdout }) => (JSON.parse(stdout) as { status: string }).status,
        () => 'not there',
      );
    await expect.poll(show, { timeout: 60_000, interval: 500 }).toBe('awaiting_payment');

    const stopped = await Promise.all([receiver.stop('SIGTERM'), worker.stop('SIGTERM')]);
    expect({ stopped, log: stopped.some((code) => code !== 0) ? receiver.log() + worker.log() : '' }).toEqual(
      { stopped: [0, 0], log: '' },
    );
  }, 300_000);
});
