/**
 * A data directory of a private server: the system tables and one user with a password of its own, who may
 * only come from this machine. Made once, under another name, and renamed when whole.
 */
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InorderError } from '../../errors.ts';
import { systemTablesIn, type MysqlProgram } from './mysql-program.ts';
import { runProgram } from './run-program.ts';

export const MYSQL_USER = 'inorder';

export interface MysqlData {
  directory: string;
  password: string;
}

export async function openMysqlData(program: MysqlProgram, directory: string): Promise<MysqlData> {
  const data = join(directory, 'data');
  const passwordFile = join(directory, 'password');
  await mkdir(temporaryFilesOf(data), { recursive: true });
  const known = await readPassword(passwordFile);
  if (known !== null) return { directory: data, password: known };

  // Without the password file, which is written last, whatever is there was never whole.
  await rm(data, { recursive: true, force: true });
  const password = randomBytes(18).toString('base64url');
  await mkdir(data, { mode: 0o700 });
  const result =
    program.kind === 'mariadb'
      ? await bootstrapMariadb(program, data, password)
      : await bootstrapMysql(program, directory, data, password);
  if (!result.isOk) {
    throw new InorderError(
      'service_failed',
      `services: ${program.command} could not make a data directory in ${data}:\n${result.output.slice(-2_000)}`,
    );
  }
  await writeFile(`${passwordFile}.new`, password, { mode: 0o600 });
  await rename(`${passwordFile}.new`, passwordFile);
  return { directory: data, password };
}

export async function removeMysqlData(directory: string): Promise<void> {
  const data = join(directory, 'data');
  // The password first: without it, what a crash leaves here is taken for unfinished and made anew.
  for (const path of [join(directory, 'password'), data, temporaryFilesOf(data)]) {
    await rm(path, { recursive: true, force: true });
  }
}

/** As mariadb-install-db does it, which is a package of its own; time zones and help are left out. */
async function bootstrapMariadb(program: MysqlProgram, data: string, password: string) {
  const share = program.shareDirectory ?? '';
  const files = systemTablesIn(share) ?? [];
  const tables = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  // The server reads one statement a line here, comments and quoted line breaks apart.
  const sql = [
    'CREATE DATABASE IF NOT EXISTS mysql;',
    'USE mysql;',
    ...tables,
    "DELETE FROM global_priv WHERE User <> 'mariadb.sys';",
    'FLUSH PRIVILEGES;',
    ...createUser(password),
    '',
  ].join('\n');
  return runProgram(
    program.command,
    ['--no-defaults', '--bootstrap', ...commonArguments(program, data), '--innodb-flush-log-at-trx-commit=0'],
    { input: sql, environment: program.environment },
  );
}

async function bootstrapMysql(program: MysqlProgram, directory: string, data: string, password: string) {
  const initFile = join(directory, 'init.sql');
  await writeFile(initFile, [...createUser(password), ''].join('\n'), { mode: 0o600 });
  try {
    return await runProgram(
      program.command,
      [
        '--no-defaults',
        '--initialize-insecure',
        ...commonArguments(program, data),
        `--init-file=${initFile}`,
      ],
      { environment: program.environment },
    );
  } finally {
    await rm(initFile, { force: true });
  }
}

export function commonArguments(program: MysqlProgram, data: string): string[] {
  return [
    `--datadir=${data}`,
    ...(program.shareDirectory === null ? [] : [`--lc-messages-dir=${program.shareDirectory}`]),
    // Both servers refuse to run as root unless they are told to.
    ...(process.getuid?.() === 0 ? ['--user=root'] : []),
    // A server that starts deletes the temporary tables it finds: in /tmp it would delete another server's.
    `--tmpdir=${temporaryFilesOf(data)}`,
    '--innodb-log-file-size=48M',
  ];
}

export function temporaryFilesOf(data: string): string {
  return join(data, '..', 'tmp');
}

function createUser(password: string): string[] {
  return [
    `CREATE USER '${MYSQL_USER}'@'127.0.0.1' IDENTIFIED BY '${password}';`,
    `GRANT ALL ON *.* TO '${MYSQL_USER}'@'127.0.0.1' WITH GRANT OPTION;`,
  ];
}

async function readPassword(file: string): Promise<string | null> {
  try {
    const password = await readFile(file, 'utf8');
    await chmod(file, 0o600);
    return password;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
