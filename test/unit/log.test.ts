import { describe, expect, it } from 'vitest';

import { createLog } from '../../src/log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown>[] {
  const lines: string[] = [];
  write(createLog('debug', 'test', { write: (line) => void lines.push(line) }));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('a log line', () => {
  it('carries the fields that are named, and the message', () => {
    const [line] = logged((log) => {
      log.warn({ source: 'shop', count: 3 }, 'three of them');
    });
    expect(line).toMatchObject({
      level: 'warn',
      component: 'test',
      source: 'shop',
      count: 3,
      msg: 'three of them',
    });
    expect(line?.['time']).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  it('leaves out everything else an object carries: bodies, headers, secrets', () => {
    const text = JSON.stringify(
      logged((log) => {
        log.info(
          { source: 'shop', body: 'body-text', headers: { authorization: 'Bearer abc' }, secret: 's3cret' },
          'kept short',
        );
        log.info({ source: { nested: 's3cret' } }, 'no objects in the place of texts');
      }),
    );
    expect(text).not.toMatch(/body-text|Bearer|s3cret/);
  });

  it('writes an error with its code and causes, without the statement it came from', () => {
    const cause = Object.assign(new Error('Access denied'), {
      code: 'ER_DENIED',
      sql: 'INSERT secret-value',
    });
    const [line] = logged((log) => {
      log.error({ error: new Error('the store is away', { cause }) }, 'failed');
    });
    expect(line?.['error']).toMatchObject({
      message: 'the store is away',
      cause: { message: 'Access denied', code: 'ER_DENIED' },
    });
    expect(JSON.stringify(line)).not.toContain('secret-value');
  });

  it('blanks the password of a URL wherever it appears', () => {
    const [line] = logged((log) => {
      log.error({ error: new Error('cannot reach mysql://root:hunter2@db:3306/inorder') }, 'failed');
    });
    expect(JSON.stringify(line)).not.toContain('hunter2');
    expect(JSON.stringify(line)).toContain('mysql://***@db:3306/inorder');
  });

  it('cuts what is too long to be read', () => {
    const [line] = logged((log) => {
      log.warn({ reason: 'x'.repeat(100_000) }, 'long');
    });
    expect(JSON.stringify(line).length).toBeLessThan(2_000);
  });
});
