/**
 * The smallest Koa app that takes a signed webhook, as people write it: read the body, check the signature, one
 * INSERT per request, answer. `insert` stores; `answer` only verifies and answers.
 *
 *     MYSQL_URL=… node --import tsx bench/floors/accept.ts <insert|answer> <secret>
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AddressInfo } from 'node:net';

import Koa from 'koa';
import { createPool } from 'mysql2/promise';

const [mode = 'insert', secret = ''] = process.argv.slice(2);
const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
const pool = createPool({ uri: process.env['MYSQL_URL'] ?? '', connectionLimit: 10 });
await pool.query(
  `CREATE TABLE IF NOT EXISTS webhooks (
     id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
     event_id VARBINARY(255) NOT NULL,
     type VARBINARY(255) NOT NULL,
     order_id VARBINARY(255) NOT NULL,
     received_at DATETIME(6) NOT NULL,
     body LONGBLOB NOT NULL,
     UNIQUE KEY webhooks_once (event_id)
   ) ENGINE = InnoDB`,
);

const app = new Koa();
app.use(async (ctx) => {
  const chunks: Buffer[] = [];
  for await (const chunk of ctx.req) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const timestamp = ctx.get('webhook-timestamp');
  const expected = createHmac('sha256', key)
    .update(`${ctx.get('webhook-id')}.${timestamp}.`)
    .update(body)
    .digest();
  const given = Buffer.from(ctx.get('webhook-signature').slice('v1,'.length), 'base64');
  const isFresh = Math.abs(Date.now() / 1_000 - Number(timestamp)) < 300;
  if (!isFresh || given.length !== expected.length || !timingSafeEqual(given, expected)) {
    ctx.status = 401;
    return;
  }
  const event = JSON.parse(body.toString()) as { id: string; type: string; order: string };
  if (mode === 'insert') {
    await pool.execute(
      'INSERT INTO webhooks (event_id, type, order_id, received_at, body) VALUES (?, ?, ?, UTC_TIMESTAMP(6), ?)',
      [event.id, event.type, event.order, body],
    );
  }
  ctx.status = 202;
  ctx.body = { status: 'accepted' };
});
const server = app.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ port: (server.address() as AddressInfo).port }));
});
