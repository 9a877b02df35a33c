import { describe, expect, it } from 'vitest';

import { endOfAnswer } from '../../../src/effects/answer.ts';

describe('endOfAnswer', () => {
  it.each([200, 201, 202, 204, 299])('%i is done', (status) => {
    expect(endOfAnswer(status, null)).toEqual({ kind: 'done' });
  });

  it.each([400, 401, 403, 404, 405, 410, 413, 422, 451, 499])('%i certainly did nothing', (status) => {
    expect(endOfAnswer(status, null).kind).toBe('failed');
  });

  it.each([408, 409, 425, 429])('%i may have been done before or be under way', (status) => {
    expect(endOfAnswer(status, null).kind).toBe('unknown');
  });

  it.each([301, 302, 303, 304, 307, 308])('%i is not followed, and says nothing about the work', (status) => {
    expect(endOfAnswer(status, null).kind).toBe('unknown');
  });

  it.each([500, 502, 503, 504, 599, 0])('%i leaves the end unknown', (status) => {
    expect(endOfAnswer(status, null).kind).toBe('unknown');
  });

  it('hands on how long the receiver wants to be left alone', () => {
    expect(endOfAnswer(503, 7_000)).toEqual({
      kind: 'unknown',
      error: 'the receiver answered 503',
      retryAfterMs: 7_000,
    });
  });
});
