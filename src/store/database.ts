/** Databases as a whole, for development: a private one of one's own on a server that is given or brought. */
import { createConnection } from 'mysql2/promise';

/** A database name made by us; never made of input. */
export type DatabaseName = `inorder_${string}`;

export async function createDatabase(
  serverUrl: string,
  name: DatabaseName,
  { replace }: { replace: boolean },
): Promise<string> {
  if (replace) await run(serverUrl, `DROP DATABASE IF EXISTS ${quoted(name)}`);
  await run(serverUrl, `CREATE DATABASE IF NOT EXISTS ${quoted(name)} CHARACTER SET utf8mb4`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

export async function dropDatabase(serverUrl: string, name: DatabaseName): Promise<void> {
  await run(serverUrl, `DROP DATABASE IF EXISTS ${quoted(name)}`);
}

async function run(serverUrl: string, sql: string): Promise<void> {
  const connection = await createConnection({ uri: serverUrl, connectTimeout: 10_000 });
  try {
    await connection.query(sql);
  } finally {
    connection.destroy();
  }
}

function quoted(name: DatabaseName): string {
  if (!/^inorder_[a-z0-9_]{1,40}$/.test(name)) throw new Error(`not a database name of ours: ${name}`);
  return `\`${name}\``;
}
