/**
 * What is answered to a sender. One table of status codes; the code in the body is the metric's label and the
 * record's reason, word for word.
 */
import type { Provider, Refusal, RefusalCode } from '../providers/provider.ts';

export interface Answer {
  status: number;
  contentType: string;
  body: string;
  headers?: Record<string, string>;
  /** The connection is closed after it. */
  close?: true;
}

const STATUS: Record<RefusalCode, number> = {
  signature_missing: 401,
  signature_invalid: 401,
  timestamp_missing: 401,
  timestamp_outside: 401,
  timestamp_unit: 401,
  body_empty: 400,
  body_truncated: 400,
  body_malformed: 400,
  field_missing: 400,
  field_invalid: 400,
  type_unknown: 422,
  source_unknown: 404,
  method_not_allowed: 405,
  media_type: 415,
  encoding: 415,
  too_large: 413,
  too_slow: 408,
  unavailable: 503,
};

export const REFUSAL_CODES = Object.keys(STATUS) as RefusalCode[];

const JSON_TYPE = 'application/json; charset=utf-8';
const ACCEPTED: Answer = { status: 202, contentType: JSON_TYPE, body: '{"status":"accepted"}' };
const KNOWN: Answer = { status: 202, contentType: JSON_TYPE, body: '{"status":"known"}' };

/** Seconds a sender is asked to wait while the store is away: shorter than any provider's own back-off. */
const RETRY_AFTER_SECONDS = 5;

export function acknowledgement(provider: Provider, known: boolean): Answer {
  return provider.acknowledge?.(known) ?? (known ? KNOWN : ACCEPTED);
}

export function refusalAnswer({ refused, message }: Refusal): Answer {
  const answer: Answer = {
    status: STATUS[refused],
    contentType: JSON_TYPE,
    body: JSON.stringify({ error: refused, message }),
  };
  if (refused === 'unavailable') answer.headers = { 'Retry-After': String(RETRY_AFTER_SECONDS) };
  if (refused === 'method_not_allowed') answer.headers = { Allow: 'POST' };
  return answer;
}

/** For what should not happen: says nothing of its cause, which is in the log. */
export const INTERNAL_ERROR: Answer = {
  status: 500,
  contentType: JSON_TYPE,
  body: JSON.stringify({
    error: 'internal',
    message: 'the delivery could not be taken; it is safe to send it again',
  }),
};

export const NOT_FOUND: Answer = {
  status: 404,
  contentType: JSON_TYPE,
  body: JSON.stringify({
    error: 'not_found',
    message: 'there is nothing here; webhooks go to /webhooks/<source>',
  }),
};

export const PROBE_GOOD: Answer = { status: 200, contentType: JSON_TYPE, body: '{"status":"ok"}' };
export const PROBE_BAD: Answer = {
  status: 503,
  contentType: JSON_TYPE,
  body: '{"status":"unavailable"}',
};
