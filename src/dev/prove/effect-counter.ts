/** The application that takes a handler's effects: does each call, and keeps what it did. It has no bad moments. */
import { createServer } from 'node:http';
import { closeAtOnce, listenOnLoopback } from '../listen.ts';
import type { DoneEffect } from '../traffic/effect-receiver.ts';
import { readBytes } from '../traffic/read-bytes.ts';

export interface EffectCounter {
  readonly url: string;
  /** `key` is the event's id: what a careful handler would have sent as one. */
  readonly done: DoneEffect[];
  close(): Promise<void>;
}

export async function startEffectCounter(): Promise<EffectCounter> {
  const done: DoneEffect[] = [];
  const server = createServer((request, response) => {
    readBytes(request).then(
      (body) => {
        const { name, order, about, event } = JSON.parse(body.toString('utf8')) as Record<string, string>;
        const of = name === 'alertFinance' ? 'dispute.opened' : about === '' ? null : (about ?? null);
        done.push({ key: `${event}/${name}`, name: name ?? '', order: order ?? '', of });
        response.writeHead(204).end();
      },
      () => response.destroy(),
    );
  });
  const url = await listenOnLoopback(server);
  return { url, done, close: () => closeAtOnce(server) };
}
