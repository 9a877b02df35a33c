/**
 * Finds a MySQL-compatible server on this machine, or brings one: what PATH and the usual directories hold,
 * what was unpacked earlier, on Debian and Ubuntu the packages. Nothing is installed.
 */
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { InorderError } from '../../errors.ts';
import { hasDebianPackages, unpackDebianPackage } from './debian-packages.ts';
import { findPrograms, isExecutable } from './find-program.ts';
import { runProgram } from './run-program.ts';

export interface MysqlProgram {
  command: string;
  kind: 'mariadb' | 'mysql';
  /** Holds messages, character sets and the SQL of the system tables; MySQL knows its own. */
  shareDirectory: string | null;
  environment: Record<string, string>;
}

const USUAL_DIRECTORIES = [
  ...['/usr/sbin', '/usr/local/sbin', '/usr/libexec', '/usr/local/bin', '/usr/bin'],
  ...['/usr/local/mysql/bin', '/opt/homebrew/opt/mariadb/bin', '/opt/homebrew/opt/mysql/bin'],
  ...['/opt/homebrew/bin', '/usr/local/opt/mariadb/bin', '/usr/local/opt/mysql/bin'],
];

export async function findMysql(
  toolsDirectory: string,
  announce: (line: string) => void,
): Promise<MysqlProgram> {
  for (const command of findPrograms(['mariadbd', 'mysqld'], USUAL_DIRECTORIES)) {
    const program = await describeMysql(command, {});
    if (program !== null) return program;
  }
  const root = join(toolsDirectory, 'mariadb');
  if (hasDebianPackages()) {
    await unpackDebianPackage('mariadb-server-core', root, announce);
    const environment = { LD_LIBRARY_PATH: libraryDirectories(root).join(':') };
    const program = await describeMysql(join(root, 'usr/sbin/mariadbd'), environment);
    if (program !== null) return program;
  }
  throw new InorderError(
    'service_missing',
    'services: no MySQL or MariaDB server was found. Any one of these will do: ' +
      'set MYSQL_URL to a server of yours (docker run --rm -e MARIADB_ROOT_PASSWORD=… -p 3306:3306 mariadb:10.11); ' +
      'apt-get install mariadb-server-core; brew install mariadb; dnf install mariadb-server.',
  );
}

/** What a server program is; null if it does not run here or cannot make an empty data directory. */
async function describeMysql(
  command: string,
  environment: Record<string, string>,
): Promise<MysqlProgram | null> {
  if (!isExecutable(command)) return null;
  const version = await runProgram(command, ['--no-defaults', '--version'], { environment });
  if (!version.isOk) return null;
  if (!version.stdout.includes('MariaDB')) {
    return { command, kind: 'mysql', shareDirectory: null, environment };
  }
  const prefix = dirname(dirname(realpathSync(command)));
  const shareDirectory = ['share/mysql', 'share/mariadb', 'share']
    .map((path) => join(prefix, path))
    .find((path) => systemTablesIn(path) !== null);
  return shareDirectory === undefined ? null : { command, kind: 'mariadb', shareDirectory, environment };
}

/** The file names of MariaDB's system tables' SQL, which newer versions renamed; null if they are not there. */
export function systemTablesIn(shareDirectory: string): string[] | null {
  for (const prefix of ['mariadb', 'mysql']) {
    const files = ['system_tables', 'performance_tables', 'system_tables_data'].map((name) =>
      join(shareDirectory, `${prefix}_${name}.sql`),
    );
    if (files.every((file) => existsSync(file))) return files;
  }
  return null;
}

/** Where Debian puts libraries: usr/lib/<architecture>, on older systems lib/<architecture>. */
function libraryDirectories(root: string): string[] {
  const parents = [join(root, 'usr/lib'), join(root, 'lib')].filter((path) => existsSync(path));
  return parents.flatMap((parent) => [
    ...readdirSync(parent, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name.includes('-linux-'))
      .map((entry) => join(parent, entry.name)),
  ]);
}
