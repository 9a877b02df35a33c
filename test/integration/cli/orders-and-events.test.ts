import { describe, expect, it } from 'vitest';
import type { OrderKey } from '../../../src/ordering/state.ts';
import { judge, storeEvents } from '../operations/judged-order.ts';
import { migratedStore } from '../store/migrated-store.ts';
import { setup } from '../setup.ts';
import { runCli } from './run-cli.ts';

const KEY: OrderKey = { machine: 'order', environment: 'live', id: '1042' };

async function worldWithAnOrder(): Promise<{ env: Record<string, string> }> {
  const { store, world } = await migratedStore();
  await storeEvents(store, [
    { eventId: 'e1', type: 'order.created', version: '1' },
    { eventId: 'e4', type: 'order.shipped', version: '4' },
  ]);
  await judge(store, KEY);
  return { env: { MYSQL_URL: world.mysqlUrl } };
}

/** What tells a program and a person apart: every line of stdout is JSON. */
const jsonLines = (stdout: string): unknown[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

describe('inorder orders', () => {
  it('tells the story of an order named by its id or its whole key', async () => {
    const { env } = await worldWithAnOrder();
    for (const name of ['1042', 'order/live/1042']) {
      const { code, stdout, stderr } = await runCli(['orders', 'show', name, '--utc'], { env });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('1042  order/live\n  awaiting_payment; revision 1');
      expect(stdout).toContain('shop/order:1042  at version 1 (sequence)');
      expect(stdout).toMatch(/held: order\.shipped version 4 \(e4\), since .*; waits for versions 2 to 3/);
      expect(stdout).toMatch(/order:1042 +1 +order\.created +applied +1 +new → awaiting_payment/);
      expect(stdout).toMatch(/held +waits for something named beside it/);
    }
  });

  it('prints the JSON of the API with --json, and nothing else', async () => {
    const { env } = await worldWithAnOrder();
    const { stdout, stderr } = await runCli(['orders', 'show', '1042', '--json'], { env });
    expect(stderr).toBe('');
    const [shown] = jsonLines(stdout) as [Record<string, unknown>];
    expect(Object.keys(shown)).toEqual([
      'machine',
      'environment',
      'id',
      'status',
      'bearer',
      'attention',
      'revision',
      'streams',
      'contested',
      'searches',
      'deadline',
      'effects',
      'updatedAt',
      'timeline',
    ]);
  });

  it('lists orders as columns for people and as one JSON line each for programs', async () => {
    const { env } = await worldWithAnOrder();
    const people = await runCli(['orders', 'list', '--status', 'awaiting_payment'], { env });
    expect(people.stdout).toMatch(
      /^ORDER +STATUS +NEEDS +CHANGED \(UTC\)\norder\/live\/1042 +awaiting_payment/,
    );
    const programs = await runCli(['orders', 'list', '--json'], { env });
    expect(jsonLines(programs.stdout)).toMatchObject([
      { id: '1042', status: 'awaiting_payment', attention: [] },
    ]);
  });

  it('ends with 3 and says what to do when nothing matched', async () => {
    const { env } = await worldWithAnOrder();
    for (const args of [
      ['orders', 'show', '1043'],
      ['orders', 'list', '--attention'],
      ['events', 'show', 'e9'],
      ['events', 'list', '--order', '1043', '--json'],
    ]) {
      const { code, stdout, stderr } = await runCli(args, { env });
      expect({ args, code, stdout }).toEqual({ args, code: 3, stdout: '' });
      expect(stderr).not.toBe('');
    }
  });

  it('names the nearest of what there is where a name is nowhere, and not where it only matches nothing', async () => {
    const { env } = await worldWithAnOrder();
    const said = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await runCli(args, { env });
      expect({ args, code, stdout }).toEqual({ args, code: 3, stdout: '' });
      return stderr;
    };
    const list = (...more: string[]) => said('orders', 'list', ...more);
    expect(await list('--status', 'payed')).toContain("There is no status 'payed'. Did you mean 'paid'?");
    expect(await list('--status', 'paid')).toBe('No orders match.\n');
    expect(await list('--environment', 'liv')).toContain("Did you mean 'live'?");
    expect(await list('--machine', 'basket')).toContain("There is no machine 'basket'. There is: order.");
    expect(await said('events', 'list', '--source', 'shopp')).toContain("Did you mean 'shop'?");
    expect(await said('events', 'list', '--type', 'order.shiped')).toContain("Did you mean 'order.shipped'?");
  });

  it('says where an order is that was looked for elsewhere or in other capitals', async () => {
    const { store, world } = await migratedStore();
    const id = 'A-1002';
    await storeEvents(store, [{ eventId: 'e1', order: id, stream: `shop/order:${id}`, version: '1' }]);
    await judge(store, { ...KEY, id });
    const env = { MYSQL_URL: world.mysqlUrl };
    const said = async (name: string) => (await runCli(['orders', 'show', name], { env })).stderr;
    expect(await said('a-1002')).toContain("There is no order 'a-1002'. Did you mean 'A-1002'?");
    expect(await said('order/demo/A-1002')).toContain('there is order/live/A-1002');
    expect(await said('order/live/a-1002')).toContain("Did you mean 'order/live/A-1002'?");
    expect(await said('order/demo/B-1')).toContain("There is no order 'order/demo/B-1'.");
  });

  it('says so when events of an order are stored and nobody has judged them', async () => {
    const { store, world } = await migratedStore();
    await storeEvents(store, [{ eventId: 'e1', version: '1' }]);
    const { code, stderr } = await runCli(['orders', 'show', '1042'], { env: { MYSQL_URL: world.mysqlUrl } });
    expect(code).toBe(3);
    expect(stderr).toContain('is a worker running?');
  });

  it('blames no worker for an order whose events are all kept apart', async () => {
    const { store, world } = await migratedStore();
    await storeEvents(store, [{ eventId: 'e1', version: '1', outcome: 'foreign', reason: 'other_mode' }]);
    const { code, stderr } = await runCli(['orders', 'show', '1042'], { env: { MYSQL_URL: world.mysqlUrl } });
    expect(code).toBe(3);
    expect(stderr).toContain(
      "all events of it are kept apart. 'inorder events list --order 1042' shows them, each with why.",
    );
  });

  it('says once what a provider that is asked holds up', async () => {
    const { store, world } = await migratedStore();
    await storeEvents(store, [
      { eventId: 'e1', type: 'payment.captured', version: null },
      { eventId: 'e2', type: 'payment.captured', version: null },
      { eventId: 'e3', type: 'payment.refunded', version: null },
    ]);
    await judge(store, KEY, { contract: 'unordered' });
    const { stdout } = await runCli(['orders', 'show', '1042'], { env: { MYSQL_URL: world.mysqlUrl } });
    expect(stdout).toMatch(/shop\/order:1042 {2}unordered\n/);
    expect(stdout).toMatch(
      /held: 2 × payment\.captured, payment\.refunded; the first since .*; they wait for the provider's answer\n/,
    );
    expect(stdout.match(/asked since|asking the provider/g)).toHaveLength(1);
  });

  it('asks which one is meant when an id stands for several', async () => {
    const { store, world } = await migratedStore();
    for (const environment of ['live', 'test']) {
      await storeEvents(store, [{ eventId: `e-${environment}`, environment, version: '1' }]);
      await judge(store, { ...KEY, environment });
    }
    const env = { MYSQL_URL: world.mysqlUrl };
    const { code, stderr } = await runCli(['orders', 'show', '1042'], { env });
    expect(code).toBe(2);
    expect(stderr).toContain('order/live/1042');
    expect(stderr).toContain('order/test/1042');
    expect((await runCli(['orders', 'show', 'order/test/1042'], { env })).code).toBe(0);
  });
});

describe('inorder events', () => {
  it('shows an event with its deliveries', async () => {
    const { env } = await worldWithAnOrder();
    const { code, stdout } = await runCli(['events', 'show', 'shop/e1', '--utc'], { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^e1 {2}shop, order\.created\n {2}applied: new → awaiting_payment/);
    expect(stdout).toContain('order/live/1042');
    const json = await runCli(['events', 'show', 'e1', '--json'], { env });
    expect(jsonLines(json.stdout)).toMatchObject([{ source: 'shop', event: 'e1', outcome: 'applied' }]);
  });

  it('lists by outcome and by when they came', async () => {
    const { env } = await worldWithAnOrder();
    const { stdout } = await runCli(['events', 'list', '--outcome', 'held', '--since', '1h', '--json'], {
      env,
    });
    expect(jsonLines(stdout)).toMatchObject([{ event: 'e4', reason: 'gap' }]);
    expect((await runCli(['events', 'list', '--until', '2000-01-01T00:00:00Z'], { env })).code).toBe(3);
  });

  it('writes what a terminal would act on out', async () => {
    const { store, world } = await migratedStore();
    await storeEvents(store, [{ eventId: 'e\u001b[2J\u202e1', version: '1' }]);
    const { stdout } = await runCli(['events', 'list'], { env: { MYSQL_URL: world.mysqlUrl } });
    expect(stdout).not.toMatch(/[\u001b\u202e]/);
    expect(stdout).toContain('e\\u{1b}[2J\\u{202e}1');
  });
});

describe('inorder migrate', () => {
  it('says what it would do, does it once, and then has nothing to do', async () => {
    const world = await setup();
    const env = { MYSQL_URL: world.mysqlUrl };
    const dry = jsonLines((await runCli(['migrate', '--dry-run', '--json'], { env })).stdout) as {
      applied: string[];
    }[];
    const wet = jsonLines((await runCli(['migrate', '--json'], { env })).stdout);
    expect(dry[0]?.applied.length).toBeGreaterThan(5);
    expect(wet).toEqual([{ dryRun: false, applied: dry[0]?.applied }]);
    const again = await runCli(['migrate'], { env });
    expect(again).toMatchObject({ code: 0, stdout: '' });
    expect(again.stderr).toContain('Nothing to do');
  });

  it('ends with 1 and names the reason when the database is away', async () => {
    const { code, stderr } = await runCli(['migrate'], {
      env: { MYSQL_URL: 'mysql://root:hidden@127.0.0.1:1/none' },
    });
    expect(code).toBe(1);
    expect(stderr).toContain('[store_unavailable]');
    expect(stderr).not.toContain('hidden');
  });
});
