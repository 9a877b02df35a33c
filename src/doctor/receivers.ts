/** Whether a receiver answers where the providers send, or on this machine when nobody said where that is. */
import { warn, fail, ok } from './check.ts';
import type { Check } from './check.ts';

const TIMEOUT_MS = 5_000;

export const receivers: Check = {
  name: 'receivers',
  needs: ['environment'],
  async look({ environment: { publicUrl, port } }) {
    const base = publicUrl ?? `http://127.0.0.1:${port}`;
    const url = `${base}/readyz`;
    let status: number | string;
    try {
      const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
      await response.body?.cancel();
      status = response.status;
    } catch (error) {
      const { cause, message } = error as Error & { cause?: { code?: string } };
      status = cause?.code ?? message;
    }
    if (status === 200) {
      return publicUrl?.startsWith('http:') === true
        ? [warn(`${base} is ready, without TLS`, 'put TLS in front of it; most providers send to https only')]
        : [ok(`${base} is ready`)];
    }
    const seen = `${url} answers ${status}`;
    return publicUrl === null
      ? [
          warn(
            seen,
            'start `inorder receiver`; if it runs elsewhere, set INORDER_PUBLIC_URL to where providers send',
          ),
        ]
      : [
          fail(
            seen,
            'start `inorder receiver`, and let the way from INORDER_PUBLIC_URL to it lead /readyz and /webhooks',
          ),
        ];
  },
};
