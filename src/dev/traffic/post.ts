/** One attempt of a delivery, signed as it leaves, and what came back. */
import { request as openRequest, type Agent } from 'node:http';
import { parseJsonBody } from '../../providers/json.ts';
import { signStandardWebhook } from '../../providers/standard-webhooks-signature.ts';

export type Answer = { status: number; verdict: string | null } | { error: string };

/** What is under the signature, and where it goes. */
export interface SignedMessage {
  source: string;
  id: string;
  body: string;
  secret: string;
  /** How old the signed time is. */
  ageSeconds: number;
  /** Changes the bytes after they were signed. */
  spoil: ((body: Buffer) => Buffer) | null;
}

const ATTEMPT_TIMEOUT_MS = 10_000;

/** The source's name is put behind the address. */
export function post(
  baseUrl: string,
  message: SignedMessage,
  { agent, headers = {} }: { agent: Agent; headers?: Record<string, string> },
): Promise<Answer> {
  const body = Buffer.from(message.body);
  const timestampSeconds = Math.floor(Date.now() / 1000) - message.ageSeconds;
  const signature = signStandardWebhook(message.secret, { id: message.id, timestampSeconds, body });
  const bytes = message.spoil === null ? body : message.spoil(body);
  return new Promise((resolve) => {
    const request = openRequest(
      `${baseUrl}/${message.source}`,
      {
        method: 'POST',
        agent,
        timeout: ATTEMPT_TIMEOUT_MS,
        headers: {
          'content-type': 'application/json',
          'content-length': bytes.length,
          'user-agent': 'sandbox-provider/1',
          ...headers,
          ...signature,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', (error) => resolve({ error: error.message }));
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, verdict: verdictOf(Buffer.concat(chunks)) });
        });
      },
    );
    request.on('timeout', () => request.destroy(new Error(`no answer within ${ATTEMPT_TIMEOUT_MS} ms`)));
    request.on('error', (error) => resolve({ error: error.message }));
    request.end(bytes);
  });
}

/** `status` of an acceptance, `error` of a refusal. */
function verdictOf(body: Buffer): string | null {
  const parsed = parseJsonBody(body);
  if ('refused' in parsed) return null;
  const verdict = parsed.value['status'] ?? parsed.value['error'];
  return typeof verdict === 'string' ? verdict : null;
}
