import { describe, expect, it } from 'vitest';

import { startReceiverProcess } from './receiver-process.ts';
import type { ReceiverProcess } from './receiver-process.ts';
import { bodyOf, SECRET, signed } from './world.ts';

async function deliver({ url }: ReceiverProcess, id: string): Promise<number | 'refused'> {
  const body = bodyOf({ id, order: id });
  try {
    const response = await fetch(`${url}/webhooks/shop`, { method: 'POST', body, headers: signed(body) });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 'refused';
  }
}

describe('the receiver process', () => {
  it('[R5] told to stop, answers what it took, loses nothing of it, and ends with status 0', async () => {
    const receiver = await startReceiverProcess();
    const answers = new Map<string, number | 'refused'>();
    let sent = 0;
    let isOver = false;
    const send = async (): Promise<void> => {
      while (!isOver) {
        const id = `evt_${String((sent += 1))}`;
        answers.set(id, await deliver(receiver, id));
      }
    };
    const senders = Array.from({ length: 8 }, send);
    await expect.poll(() => answers.size, { timeout: 20_000 }).toBeGreaterThan(100);
    receiver.signal('SIGTERM');
    expect(await receiver.ended).toBe(0);
    isOver = true;
    await Promise.all(senders);
    const accepted = [...answers].filter(([, status]) => status === 202).map(([id]) => id);
    const rows = await receiver.store.query<{ event_id: string }>('SELECT event_id FROM events');
    const stored = new Set(rows.map((row) => row.event_id));
    expect(accepted.filter((id) => !stored.has(id))).toEqual([]);
    // Nothing was left without an answer: a connection was refused, or the delivery was answered.
    expect(stored.size).toBe(accepted.length);
    expect(receiver.log()).toMatch(/"signal":"SIGTERM"[^\n]*stopping/);
    expect(receiver.log()).toMatch(/"msg":"stopped"/);
  });

  it('[R5] killed at any instant, has stored all that it answered 2xx', async () => {
    const receiver = await startReceiverProcess();
    const accepted: string[] = [];
    let sent = 0;
    const send = async (): Promise<void> => {
      for (;;) {
        const id = `evt_${String((sent += 1))}`;
        const status = await deliver(receiver, id);
        if (status === 'refused') return;
        if (status === 202) accepted.push(id);
      }
    };
    const senders = Array.from({ length: 8 }, send);
    await expect.poll(() => accepted.length, { timeout: 20_000 }).toBeGreaterThan(100);
    receiver.signal('SIGKILL');
    await Promise.all(senders);
    const rows = await receiver.store.query<{ event_id: string }>('SELECT event_id FROM events');
    const stored = new Set(rows.map((row) => row.event_id));
    expect(accepted.filter((id) => !stored.has(id))).toEqual([]);
  });

  it('[R6] ends in order while Temporal is away, too', async () => {
    const receiver = await startReceiverProcess({ TEMPORAL_ADDRESS: '127.0.0.1:9' });
    for (let n = 0; n < 10; n += 1) expect(await deliver(receiver, `evt_${String(n)}`)).toBe(202);
    await expect.poll(() => receiver.log(), { timeout: 10_000 }).toMatch(/Temporal cannot be reached/);
    receiver.signal('SIGTERM');
    expect(await receiver.ended).toBe(0);
    expect(receiver.log()).not.toMatch(/"level":"(error|fatal)"/);
  });

  it('ends at once on a second signal', async () => {
    const receiver = await startReceiverProcess();
    await receiver.store.session(async (session) => {
      await session.query('LOCK TABLES events WRITE');
      // It owes an answer that it cannot give, so that the first signal alone does not end it yet.
      const answer = deliver(receiver, 'evt_1');
      const waiting = () =>
        session.query("SELECT 1 FROM information_schema.processlist WHERE state LIKE 'Waiting for table%'");
      await expect.poll(waiting, { timeout: 10_000 }).not.toEqual([]);
      receiver.signal('SIGINT');
      await expect.poll(() => receiver.log()).toMatch(/stopping/);
      receiver.signal('SIGINT');
      expect(await receiver.ended).toBe(130);
      expect(await answer).toBe('refused');
    });
  });

  it('[R4] writes no secret, token or body to its log, whatever is sent', async () => {
    const receiver = await startReceiverProcess({ INORDER_LOG_LEVEL: 'trace' });
    const body = bodyOf({ data: { reason: 'payload-marker' } });
    const post = (sent: Buffer, headers: Record<string, string>) =>
      fetch(`${receiver.url}/webhooks/shop?token=query-marker`, {
        method: 'POST',
        body: sent,
        headers: { ...headers, authorization: 'Bearer token-marker' },
      });
    await post(body, signed(body));
    await post(body, signed('other'));
    await post(Buffer.from('{"payload-marker'), signed('{"payload-marker'));
    receiver.signal('SIGTERM');
    await receiver.ended;
    expect(receiver.log()).toMatch(/stopped/);
    expect(receiver.log()).not.toMatch(/payload-marker|token-marker|query-marker/);
    expect(receiver.log()).not.toContain(SECRET);
  });
});
