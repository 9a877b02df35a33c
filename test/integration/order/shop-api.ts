/** A shop's own small API, as a team would write it: the newest news of an order, and bad days on demand. */
import { createServer } from 'node:http';
import { closeAtOnce, listenOnLoopback } from '../../../src/dev/listen.ts';

export interface ShopApi {
  url: string;
  /** Path and bearer of each request. */
  requests: { path: string; bearer: string | undefined }[];
  /** What is true of an order: the body of its newest webhook. */
  newest: Map<string, object>;
  /** So many of the next requests are answered 503. */
  down: number;
  /** Answers wait until what this returns is called. */
  hold(): () => void;
  close(): Promise<void>;
}

export async function startShopApi(): Promise<ShopApi> {
  let gate = Promise.resolve();
  const api: Omit<ShopApi, 'url' | 'close'> = {
    requests: [],
    newest: new Map(),
    down: 0,
    hold() {
      let open = (): void => {};
      gate = new Promise((resolve) => (open = resolve));
      return () => open();
    },
  };
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    api.requests.push({ path, bearer: request.headers.authorization });
    void gate.then(() => {
      if (api.down > 0) {
        api.down -= 1;
        return response.writeHead(503).end();
      }
      const { pathname, searchParams } = new URL(path, 'http://shop');
      const listed = searchParams.get('of');
      if (listed !== null) return response.end(JSON.stringify(api.newest.has(listed) ? [listed] : []));
      const body = api.newest.get(decodeURIComponent(pathname.split('/').at(-1) ?? ''));
      return body === undefined ? response.writeHead(404).end() : response.end(JSON.stringify(body));
    });
  });
  const url = await listenOnLoopback(server);
  return Object.assign(api, { url, close: () => closeAtOnce(server) });
}
