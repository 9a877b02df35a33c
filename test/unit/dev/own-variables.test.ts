import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { dropOwnVariables, tellOfDropped, toEnvFile } from '../../../src/dev/own-variables.ts';

const OURS = { MYSQL_URL: 'mysql://u:p@127.0.0.1:1/inorder_dev', EFFECTS_SECRET: `it's "odd" $HOME` };

/** What a shell has after it has sourced the file. */
function sourced(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const script = `${toEnvFile(OURS)}\n"$0" -p 'JSON.stringify(process.env)'`;
  const text = execFileSync('sh', ['-c', script, process.execPath], { env: {} }).toString();
  return { ...(JSON.parse(text) as NodeJS.ProcessEnv), ...more };
}

describe('the variables that demo and dev leave to be sourced', () => {
  it('come out of a shell as they went in, and are known again', () => {
    const variables = sourced();
    expect(variables).toMatchObject(OURS);
    expect(dropOwnVariables(variables).sort()).toEqual(Object.keys(OURS).sort());
    expect(Object.keys(variables).filter((name) => /MYSQL|EFFECTS|INORDER/.test(name))).toEqual([]);
  });

  it('are not taken for those that a person sets in the same shell', () => {
    const variables = sourced({ MYSQL_URL: 'mysql://me@db:3306/shop', TEMPORAL_ADDRESS: 'temporal:7233' });
    expect(dropOwnVariables(variables)).toEqual(['EFFECTS_SECRET']);
    expect(variables).toMatchObject({
      MYSQL_URL: 'mysql://me@db:3306/shop',
      TEMPORAL_ADDRESS: 'temporal:7233',
    });
  });

  it('are not what a person chose: a port is meant the next time, too', () => {
    const file = toEnvFile(OURS, { INORDER_PORT: '18090' });
    const variables = Object.fromEntries(
      [...file.matchAll(/^export (\w+)='(.*)'$/gm)].map(([, name = '', value = '']) => [name, value]),
    );
    dropOwnVariables(variables);
    expect(variables).toMatchObject({ INORDER_PORT: '18090' });
    expect(variables).not.toHaveProperty('MYSQL_URL');
  });

  it('are told of in one line, and nothing is told where there is nothing', () => {
    expect(tellOfDropped(dropOwnVariables(sourced()))).toEqual([
      'Ignored: MYSQL_URL and 1 more, which this shell has from an env file of an earlier demo or dev.',
    ]);
    const mine = { MYSQL_URL: OURS.MYSQL_URL };
    expect(tellOfDropped(dropOwnVariables(mine))).toEqual([]);
    expect(mine).toEqual({ MYSQL_URL: OURS.MYSQL_URL });
  });
});
