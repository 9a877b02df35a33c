/** A receiver as an operator starts it, over a database of its own, and what can be seen of both from outside. */
import { spawn } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDatabase, dropDatabase } from '../../../src/store/database.ts';
import { openStore } from '../../../src/store/store.ts';
import { oneSourceConfig } from '../../integration/receiver/one-source-config.ts';
import { SECRET } from './requests.ts';

export interface UnderFire {
  port: number;
  /** In words why it is not running any more; null: it runs. */
  findEnd(): string | null;
  /** Fingerprints of all bodies stored since the last look. */
  storedSince(): Promise<Set<string>>;
  memoryMib(): Promise<number>;
  close(): Promise<void>;
}

/** `mysqlUrl`: a server; nothing of it is used but a database that is made here. */
export async function startUnderFire(mysqlServerUrl: string): Promise<UnderFire> {
  const name = `inorder_fuzz_${randomBytes(5).toString('hex')}` as const;
  const mysqlUrl = await createDatabase(mysqlServerUrl, name, { replace: false });
  const directory = await mkdtemp(join(tmpdir(), 'inorder-fuzz-'));
  await writeFile(join(directory, 'inorder.config.ts'), oneSourceConfig(SECRET));
  const command = fileURLToPath(new URL('../../../bin/inorder.js', import.meta.url));
  const child = spawn(process.execPath, [command, 'receiver'], {
    cwd: directory,
    env: {
      PATH: process.env['PATH'],
      MYSQL_URL: mysqlUrl,
      // Nobody is there: a receiver gets along without Temporal.
      TEMPORAL_ADDRESS: '127.0.0.1:9',
      INORDER_HOST: '127.0.0.1',
      INORDER_PORT: '0',
      INORDER_OPERATIONS_PORT: '0',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  let log = '';
  const port = await new Promise<number>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-20_000);
      const found = /"port":(\d+)[^\n]*receiving webhooks/.exec(log)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    void ended.then(() => {
      reject(new Error(`the receiver did not start:\n${log}`));
    });
  });
  const store = openStore(mysqlUrl, { connections: 2 });
  let lastSeq = 0n;
  return {
    port,
    findEnd: () =>
      child.exitCode === null && child.signalCode === null
        ? null
        : `the receiver ended (${child.exitCode ?? child.signalCode}):\n${log.slice(-2_000)}`,
    async storedSince() {
      const rows = await store.query<{ seq: string; body: Buffer }>(
        'SELECT seq, body FROM bodies WHERE seq > ? ORDER BY seq',
        [lastSeq],
      );
      lastSeq = BigInt(rows.at(-1)?.seq ?? lastSeq);
      return new Set(rows.map(({ body }) => hash('sha256', body)));
    },
    async memoryMib() {
      const status = await readFile(`/proc/${String(child.pid)}/status`, 'utf8');
      return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024;
    },
    async close() {
      child.kill('SIGKILL');
      await ended;
      await store.close();
      await dropDatabase(mysqlServerUrl, name);
      await rm(directory, { recursive: true, force: true });
    },
  };
}
