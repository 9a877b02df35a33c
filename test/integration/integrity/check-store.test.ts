/** `inorder doctor --store`: a database that a storm went through has no finding, and each kind of damage has one. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkStore } from '../../../src/integrity/check-store.ts';
import type { CheckedStore, CheckStoreOptions } from '../../../src/integrity/check-store.ts';
import type { StoreFinding } from '../../../src/integrity/finding.ts';
import { runCli } from '../cli/run-cli.ts';
import { startSystem } from '../processes/system.ts';
import type { System } from '../processes/system.ts';
import { leaveInDoubt, sendStories, untilTrue } from './storm.ts';

let system: System;
/** What was seen of the storm before it was over. */
const meanwhile: { findings: StoreFinding[]; orders: number[] } = { findings: [], orders: [] };
beforeAll(async () => {
  system = await startSystem({ redeliverAfterMs: 1_000 });
  let isOver = false;
  const storm = sendStories(system, { orders: 15, seed: 'integrity' })
    .then((stories) => untilTrue(system, stories))
    .finally(() => (isOver = true));
  while (!isOver) {
    const { findings, sums } = await look({ page: 5, rows: 11 });
    meanwhile.findings.push(...findings);
    meanwhile.orders.push(sums.orders);
  }
  await storm;
  await leaveInDoubt(system, 'integrity');
  await system.stopWorkers();
}, 120_000);
afterAll(() => system.world.cleanup());

async function look(
  options: Partial<CheckStoreOptions> = {},
): Promise<{ findings: StoreFinding[]; sums: CheckedStore }> {
  const findings: StoreFinding[] = [];
  const sums = await checkStore(system.store, { onFinding: (one) => findings.push(one), ...options });
  return { findings, sums };
}

describe('a database that a storm went through', () => {
  test('has no finding, whatever the size of the pages', async () => {
    const whole = await look();
    expect(whole.findings).toEqual([]);
    expect(whole.sums.orders).toBeGreaterThan(15);
    expect(Math.min(whole.sums.entries, whole.sums.events)).toBeGreaterThan(30);
    expect(await look({ page: 2, rows: 3 })).toEqual(whole);
  });

  test('had none either while the storm went on', () => {
    expect(meanwhile.findings).toEqual([]);
    expect(new Set(meanwhile.orders).size).toBeGreaterThan(1);
  });
});

/** What is done to the rows, and what of it must be found; `about` and words of `seen`. */
interface Damage {
  what: string;
  sql: string[];
  finds: [about: string, seen: RegExp];
}
const ONE_APPLIED = `(SELECT * FROM (SELECT MAX(seq) FROM events WHERE outcome = 'applied') one)`;
const ONE_HELD = `(SELECT * FROM (SELECT MIN(seq) FROM events WHERE outcome = 'held') one)`;
const ONE_REVIEWED = `(SELECT * FROM (SELECT MIN(seq) FROM events WHERE outcome = 'review') one)`;
const ONE_DONE = `(SELECT * FROM (SELECT MIN(id) FROM effects WHERE state = 'done' AND name = 'fulfil') one)`;
const LAST_STEP = `(SELECT * FROM (SELECT MAX(id) FROM journal WHERE kind = 'step' AND cause_seq IS NOT NULL) one)`;
/** One that nothing follows, so that the entries still fit each other. */
const ONE_ORDER = `(SELECT * FROM (SELECT order_id FROM events WHERE seq = (SELECT MAX(seq) FROM events WHERE outcome = 'applied')) one)`;

const DAMAGES: Damage[] = [
  {
    what: 'an order in another status than its state',
    sql: [`UPDATE orders SET status = 'shipped_twice' WHERE order_id = ${ONE_ORDER}`],
    finds: ['order', /it is listed as shipped_twice, and its state says/],
  },
  {
    what: 'a status that the journal does not end in',
    sql: [
      `UPDATE orders SET status = 'authorized', state = REPLACE(state, CONCAT('"status":"', status, '"'), '"status":"authorized"')
        WHERE order_id = ${ONE_ORDER}`,
    ],
    finds: ['journal', /its entries end in .*, and the order stands at/],
  },
  {
    what: 'a bearer that is listed otherwise',
    sql: [`UPDATE orders SET bearer = 'nobody' WHERE bearer IS NOT NULL`],
    finds: ['order', /it is listed with another payment/],
  },
  {
    what: 'a state that is cut off',
    sql: [`UPDATE orders SET state = LEFT(state, 40) WHERE order_id = ${ONE_ORDER}`],
    finds: ['order', /its state cannot be read/],
  },
  {
    what: 'attention that is not what the state has',
    sql: [`UPDATE orders SET attention_kinds = '' WHERE attention_kinds <> ''`],
    finds: ['order', /it is listed with other attention than its state has/],
  },
  {
    what: 'attention that does not follow from the state',
    sql: [
      `UPDATE orders SET state = REPLACE(state, '"kind":"review"', '"kind":"gap"'), attention = REPLACE(attention, '"kind":"review"', '"kind":"gap"'),
              attention_kinds = REPLACE(attention_kinds, 'review', 'gap') WHERE attention_kinds = ',review,'`,
    ],
    finds: ['order', /its attention is not what follows from its state/],
  },
  {
    what: 'a due instant that is gone',
    sql: ['UPDATE orders SET due_at = NULL, wake_at = NULL WHERE due_at IS NOT NULL'],
    finds: ['order', /it is due at another instant/],
  },
  {
    what: 'an order that nobody would wake',
    sql: ['UPDATE orders SET wake_at = NULL WHERE due_at IS NOT NULL'],
    finds: ['order', /it is due, and nothing would wake it/],
  },
  {
    what: 'a revision that went back',
    sql: [`UPDATE orders SET revision = 1 WHERE revision > 3`],
    finds: ['journal', /is beyond the order's revision 1/],
  },
  {
    what: 'an order that is gone',
    sql: [`DELETE FROM orders WHERE order_id = ${ONE_ORDER}`],
    finds: ['order', /it is not there, and \d+ rows of journal speak of it/],
  },
  {
    what: 'a version of a machine that is gone',
    sql: ['DELETE FROM machines'],
    finds: ['machine', /it was decided by version 1 of order, which was never entered/],
  },
  {
    what: "a machine's table that was edited",
    sql: [`UPDATE machines SET data = REPLACE(data, 'shipped', 'chipped')`],
    finds: ['machine', /its table is not the one that was entered/],
  },
  {
    what: 'an entry that is gone',
    sql: [`DELETE FROM journal WHERE id = ${LAST_STEP}`],
    finds: ['event', /it is stored as applied .*, and the journal has no such step/],
  },
  {
    what: 'an entry between two that is gone',
    sql: [
      `DELETE FROM journal WHERE id IN (SELECT * FROM (SELECT MIN(id) FROM journal WHERE status_from <> status_to GROUP BY order_id) one)`,
    ],
    finds: ['journal', /begins at .*, and the order stood at/],
  },
  {
    what: 'an entry whose event is gone',
    sql: [`DELETE FROM events WHERE seq = (SELECT cause_seq FROM journal WHERE id = ${LAST_STEP})`],
    finds: ['journal', /names event .*, which is not there/],
  },
  {
    what: 'an entry whose number is another event by now',
    sql: [`UPDATE events SET event_id = CONCAT(event_id, '-else') WHERE seq = ${ONE_APPLIED}`],
    finds: ['journal', /names event .*, which is not there/],
  },
  {
    what: 'an applied event that is stored as ignored',
    sql: [
      `UPDATE events SET outcome = 'ignored' WHERE seq = (SELECT cause_seq FROM journal WHERE id = ${LAST_STEP})`,
    ],
    finds: ['event', /settled it as applied, and it is ignored/],
  },
  {
    what: 'an outcome without a revision',
    sql: [`UPDATE events SET revision = NULL WHERE seq = ${ONE_APPLIED}`],
    finds: ['event', /no revision of its order says so/],
  },
  {
    what: 'an event of a revision that is yet to come',
    sql: [`UPDATE events SET revision = 4000 WHERE seq = ${ONE_APPLIED}`],
    finds: ['event', /it was decided in revision 4000, and its order stands at/],
  },
  {
    what: 'an event of a stream that the order does not know',
    sql: [`UPDATE events SET object = 'payment:strange', refs = '[]' WHERE seq = ${ONE_APPLIED}`],
    finds: ['event', /its order's state knows nothing of/],
  },
  {
    what: 'a version that the state has not reached',
    sql: [`UPDATE events SET version = '90001' WHERE seq = ${ONE_APPLIED} AND version IS NOT NULL`],
    finds: ['event', /its version 90001 was applied, and its order's state stands at/],
  },
  {
    what: 'a settled event that was never taken',
    sql: [`UPDATE events SET taken_at = NULL WHERE seq = ${ONE_APPLIED}`],
    finds: ['event', /it is settled as applied, and as not taken/],
  },
  {
    what: 'a taken event that would be sent again',
    sql: [`UPDATE events SET wake_at = UTC_TIMESTAMP(6) + INTERVAL 1 DAY WHERE seq = ${ONE_APPLIED}`],
    finds: ['event', /it is taken, and would be sent again/],
  },
  {
    what: 'an event that lost its outcome, and waits for ever',
    sql: [
      `UPDATE events SET outcome = NULL, taken_at = NULL, settled_at = NULL, revision = NULL WHERE seq = ${ONE_APPLIED}`,
    ],
    finds: ['event', /no workflow has taken it, and nothing would send it again/],
  },
  {
    what: 'a held event that is stored as not taken',
    sql: [`UPDATE events SET outcome = NULL, taken_at = NULL, wake_at = received_at WHERE seq = ${ONE_HELD}`],
    finds: ['event', /its order's state holds it, and it is stored as not taken/],
  },
  {
    what: 'a held event that is settled',
    sql: [`UPDATE events SET outcome = 'stale', settled_at = UTC_TIMESTAMP(6) WHERE seq = ${ONE_HELD}`],
    finds: ['event', /it is settled as stale, and its order's state holds it/],
  },
  {
    what: 'a held event that is gone',
    sql: [`DELETE FROM events WHERE seq = ${ONE_HELD}`],
    finds: ['order', /its state holds event .*, which is not stored as held/],
  },
  {
    what: 'a settled event that is held again',
    sql: [`UPDATE events SET outcome = 'held', settled_at = NULL WHERE seq = ${ONE_APPLIED}`],
    finds: ['event', /it is stored as held, and its order's state does not hold it/],
  },
  {
    what: 'a reviewed event that is stored as held',
    sql: [`UPDATE events SET outcome = 'held', settled_at = NULL WHERE seq = ${ONE_REVIEWED}`],
    finds: ['event', /its order waits for a person about it, and it is stored as held/],
  },
  {
    what: 'an event that waits for a person, and nobody knows',
    sql: [`UPDATE events SET outcome = 'review' WHERE seq = ${ONE_APPLIED}`],
    finds: ['event', /it is stored as waiting for a person, and its order does not wait/],
  },
  {
    what: 'an effect that is gone',
    sql: [`DELETE FROM effects WHERE id = ${ONE_DONE}`],
    finds: ['effect', /revision \d+ asked for fulfil, and there is no such effect/],
  },
  {
    what: 'an effect under another key',
    sql: [`UPDATE effects SET effect_key = CONCAT(effect_key, '-2') WHERE id = ${ONE_DONE}`],
    finds: ['effect', /its key is not the one that follows from its body/],
  },
  {
    what: "an effect with another order's body",
    sql: [`UPDATE effects SET body = REPLACE(body, '"id":"', '"id":"not-') WHERE id = ${ONE_DONE}`],
    finds: ['effect', /its body is about order\/demo\/not-/],
  },
  {
    what: 'an effect that nobody has asked for yet',
    sql: [`UPDATE effects SET revision = 4000 WHERE id = ${ONE_DONE}`],
    finds: ['effect', /revision 4000 asked for it, and its order stands at/],
  },
  {
    what: 'an effect that no machine has',
    sql: [`UPDATE effects SET name = 'explode' WHERE id = ${ONE_DONE}`],
    finds: ['effect', /no version of its machine has an effect explode/],
  },
  {
    what: 'an attempt without a lease',
    sql: [`UPDATE effects SET state = 'running' WHERE id = ${ONE_DONE}`],
    finds: ['effect', /an attempt is under way that would never end/],
  },
  {
    what: 'an end with an attempt under way',
    sql: [`UPDATE effects SET lease_until = UTC_TIMESTAMP(6) WHERE id = ${ONE_DONE}`],
    finds: ['effect', /it is done, and an attempt of it is under way/],
  },
  {
    what: 'an end with a next attempt',
    sql: [`UPDATE effects SET next_attempt_at = UTC_TIMESTAMP(6) WHERE id = ${ONE_DONE}`],
    finds: ['effect', /it is done, and a next attempt is due/],
  },
  {
    what: 'an uncertain effect of which its order says nothing',
    sql: [
      `UPDATE effects SET state = 'uncertain', updated_at = UTC_TIMESTAMP(6) - INTERVAL 1 HOUR WHERE id = ${ONE_DONE}`,
    ],
    finds: ['effect', /it is uncertain, and its order does not say that it needs a person/],
  },
  {
    what: 'a link that is gone',
    sql: ["DELETE FROM links WHERE ref LIKE 'payment:%'"],
    finds: ['link', /names it, and it is linked to no order/],
  },
  {
    what: 'a link to another order',
    sql: ["UPDATE links SET order_id = 'another' WHERE ref LIKE 'payment:%'"],
    finds: ['link', /it is linked to another, event .* gives it to .*, and that is not noted/],
  },
  {
    what: 'an unlinked event that would never be found',
    sql: [
      `UPDATE events SET order_id = NULL, outcome = 'unlinked', revision = NULL, taken_at = NULL, settled_at = NULL WHERE seq = ${ONE_APPLIED}`,
    ],
    finds: ['link', /it has no order, and would not be found when one becomes known/],
  },
  {
    what: 'a place in the queue for an order, of an event that has one',
    sql: ['INSERT INTO unlinked (source, ref, seq) SELECT source, object, seq FROM events LIMIT 1'],
    finds: ['link', /1 rows of unlinked belong to no event that waits for its order/],
  },
  {
    what: 'bytes that are gone',
    sql: [`DELETE FROM bodies WHERE seq = ${ONE_APPLIED}`],
    finds: ['body', /the bytes it came with are not there/],
  },
  {
    what: 'bytes that have changed',
    sql: [`UPDATE bodies SET body = CONCAT(body, ' ') WHERE seq = ${ONE_APPLIED}`],
    finds: ['body', /its bytes are not those that its signature was checked over/],
  },
  {
    what: 'bytes of nobody',
    sql: ["INSERT INTO bodies (seq, receipt, body) VALUES (900000, REPEAT('r', 16), 'x')"],
    finds: ['body', /1 rows of bodies belong to no delivery of an event/],
  },
  {
    what: 'a repeat of nobody',
    sql: [
      "INSERT INTO deliveries (seq, receipt, received_at, headers, fingerprint, secret_id) VALUES (900000, REPEAT('r', 16), UTC_TIMESTAMP(6), '{}', REPEAT('f', 32), 'a')",
    ],
    finds: ['delivery', /1 rows of deliveries belong to no delivery of an event/],
  },
  {
    what: 'a repeat with other bytes, which are gone',
    sql: [
      "INSERT INTO deliveries (seq, receipt, received_at, headers, fingerprint, secret_id) SELECT seq, REPEAT('r', 16), UTC_TIMESTAMP(6), '{}', REPEAT('f', 32), 'a' FROM events LIMIT 1",
    ],
    finds: ['delivery', /1 repeats came with other bytes, which are not there/],
  },
  {
    what: 'a cursor with half a window',
    sql: [
      "INSERT INTO cursors (source, begun_at, listed_until, window_since) VALUES ('shop', UTC_TIMESTAMP(6), UTC_TIMESTAMP(6), UTC_TIMESTAMP(6))",
    ],
    finds: ['cursor', /its open window has one end only/],
  },
];

describe('damage', () => {
  const TABLES = [
    ...['orders', 'events', 'journal', 'effects', 'machines', 'links'],
    ...['unlinked', 'bodies', 'deliveries', 'cursors'],
  ];
  beforeAll(async () => {
    for (const table of TABLES) {
      await system.store.write(`CREATE TABLE whole_${table} LIKE ${table}`);
      await system.store.write(`INSERT INTO whole_${table} SELECT * FROM ${table}`);
    }
  });
  const mend = async (): Promise<void> => {
    for (const table of TABLES) {
      await system.store.write(`DELETE FROM ${table}`);
      await system.store.write(`INSERT INTO ${table} SELECT * FROM whole_${table}`);
    }
  };

  test.each(DAMAGES.map((damage) => [damage.what, damage] as const))(
    '%s',
    async (_, { sql, finds: [about, seen] }) => {
      let changed = 0;
      for (const statement of sql) changed += (await system.store.write(statement)).affectedRows;
      expect(changed).toBeGreaterThan(0);
      const { findings, sums } = await look();
      await mend();
      expect(sums.findings).toBe(findings.length);
      expect(findings).toContainEqual({
        about,
        of: expect.any(String) as string,
        seen: expect.stringMatching(seen) as string,
        fix: expect.any(String) as string,
      });
      expect((await look()).findings).toEqual([]);
    },
  );
});

test('the command says what it found in words, as JSON, and by its status', async () => {
  const { environment, store } = system;
  const env = { env: { MYSQL_URL: environment.mysqlUrl } };
  const well = await runCli(['doctor', '--store'], env);
  expect(well).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+ orders, .*: all agrees\.\n$/) as string,
  });

  await store.write("UPDATE links SET order_id = 'another' WHERE ref LIKE 'payment:%' LIMIT 1");
  const told = await runCli(['doctor', '--store'], env);
  expect(told.code).toBe(1);
  expect(told.stdout).toMatch(/^link +payments\/payment:\S+: it is linked to another/);
  expect(told.stdout).toMatch(/\n +→ .*docs\/doctor\.md/);
  expect(told.stdout).toMatch(/\d+ findings?\.\n$/);
  const lines = (await runCli(['doctor', '--store', '--json'], env)).stdout.trim().split('\n');
  const [first, last] = [lines[0], lines.at(-1)].map((line) => JSON.parse(line ?? '') as object);
  expect(first).toMatchObject({ about: 'link', seen: expect.any(String) as string });
  expect(last).toMatchObject({ findings: lines.length - 1, orders: expect.any(Number) as number });
});
