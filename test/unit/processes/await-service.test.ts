import { describe, expect, test } from 'vitest';
import { InorderError } from '../../../src/errors.ts';
import { awaitService } from '../../../src/processes/await-service.ts';
import { recordingLog } from '../dispatch/order-events.ts';

function setup(attempt: () => Promise<string>, limitMs = 5_000) {
  const warnings: string[] = [];
  const abort = new AbortController();
  const options = {
    what: 'Temporal at localhost:1',
    code: 'temporal_unavailable' as const,
    limitMs,
    log: recordingLog(warnings),
    signal: abort.signal,
    attempt,
  };
  return { warnings, abort, options };
}
const refuse = () => Promise.reject(new Error('connection refused'));

describe('waiting for a service', () => {
  test('returns what the first good attempt brings, and said once that it was missing', async () => {
    let attempts = 0;
    const { options, warnings } = setup(() => (++attempts < 3 ? refuse() : Promise.resolve('there')));
    expect(await awaitService(options)).toBe('there');
    expect(warnings).toEqual(['Temporal at localhost:1 is not there yet; waiting for it']);
  });

  test('says nothing when it is there at once', async () => {
    const { options, warnings } = setup(() => Promise.resolve('there'));
    await awaitService(options);
    expect(warnings).toEqual([]);
  });

  test('gives up after its limit with a code and the cause', async () => {
    const { options } = setup(refuse, 1);
    const failure = await awaitService(options).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(InorderError);
    expect(failure).toMatchObject({ code: 'temporal_unavailable', cause: { message: 'connection refused' } });
    expect((failure as Error).message).toMatch(
      /^Temporal at localhost:1 was not there for \d+ seconds; gave up\.$/,
    );
  });

  test('does not wait for what no waiting mends', async () => {
    let attempts = 0;
    const { options } = setup(() => {
      attempts += 1;
      return Promise.reject(new InorderError('store_settings', 'too old'));
    });
    await expect(awaitService({ ...options, isFinal: () => true })).rejects.toThrow('too old');
    expect(attempts).toBe(1);
  });

  test('ends at once when the process is told to stop', async () => {
    const { options, abort } = setup(() => {
      queueMicrotask(() => abort.abort());
      return refuse();
    }, 60_000);
    await expect(awaitService(options)).rejects.toThrow('abort');
  });
});
