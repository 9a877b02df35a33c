/** Sends one delivery and says what came back. */
import type { Source } from '../../config/resolved.ts';
import { parseJsonBody } from '../../providers/json.ts';
import type { PlannedDelivery } from './plan.ts';
import { sign } from './sign.ts';

export interface Delivered {
  order: string;
  source: string;
  event: string;
  type: string;
  forgery: string | null;
  expected: PlannedDelivery['expected'];
  /** null: it was never sent, or nobody answered. */
  status: number | null;
  /** `accepted`, `known`, the code of a refusal, or why nobody answered. */
  answer: string;
  asExpected: boolean;
}

const LIMIT_MS = 30_000;

export async function deliver(
  target: string,
  source: Source,
  order: string,
  { event, forgery, expected }: PlannedDelivery,
): Promise<Delivered> {
  const about = { order, source: source.name, event: event.id, type: event.type, forgery, expected };
  if (expected === 'lost') return { ...about, status: null, answer: 'not sent', asExpected: true };
  const { headers, body } = sign(source, event, forgery, Date.now());
  try {
    const response = await fetch(`${target}/webhooks/${source.name}`, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const answer = answerIn(Buffer.from(await response.arrayBuffer()));
    return {
      ...about,
      status: response.status,
      answer,
      asExpected: isExpected(expected, response.status, answer),
    };
  } catch (error) {
    return { ...about, status: null, answer: reasonOf(error), asExpected: false };
  }
}

function isExpected(expected: PlannedDelivery['expected'], status: number, answer: string): boolean {
  if (expected === 'refused') return status === 401;
  // An adapter may answer in its provider's words: then a 2xx has to do.
  return status >= 200 && status < 300 && (expected !== 'known' || answer !== 'accepted');
}

function answerIn(body: Buffer): string {
  const parsed = parseJsonBody(body);
  if ('refused' in parsed) return '';
  const said = parsed.value['status'] ?? parsed.value['error'];
  return typeof said === 'string' ? said : '';
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return code || (cause instanceof Error ? cause.name : 'no answer');
}
