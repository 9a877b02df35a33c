import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GroupCommit } from '../../../src/receiver/group-commit.ts';
import { listEvents, showEvent, showEvents } from '../../../src/store/event-listing.ts';
import { openStore } from '../../../src/store/store.ts';
import { cuttingProxy } from '../store/cutting-proxy.ts';
import { newEvent } from '../store/new-event.ts';
import { count, door } from './door.ts';

/** Alone, or at the end of a packet. */
const isCommit = (sql: string): boolean => sql.endsWith('COMMIT');

/** Two groups' worth of deliveries through a proxy that cuts one commit. */
async function throughProxy(url: string, fate: 'cut_before' | 'cut_after') {
  const proxy = await cuttingProxy(url);
  let cuts = 0;
  proxy.onStatement = (sql) => (isCommit(sql) && cuts++ === 0 ? fate : 'pass');
  const store = openStore(proxy.url);
  return { proxy, store, groupCommit: new GroupCommit(store) };
}

test('[R5] nothing is answered before its row can be seen by everybody', async () => {
  const { groupCommit, otherStore } = await door();
  const reader = otherStore();
  await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const eventId = `evt_${index}`;
      const [stored] = await groupCommit.add([newEvent({ eventId })]);
      expect(stored).toMatchObject({ kind: 'stored', eventId, order: '1042', taken: false, settled: false });
      const [found] = await showEvents(reader, { source: 'shop', event: eventId });
      expect(found?.seq).toBe(stored?.seq);
    }),
  );
  expect(groupCommit.stats.groups).toBeLessThan(50);
});

test('[R7] copies in the same millisecond through two receivers are one event, each repeat is recorded', async () => {
  const { store, groupCommit, otherDoor } = await door();
  const other = otherDoor();
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 8 }),
      fc.array(fc.tuple(fc.nat(7), fc.boolean()), { minLength: 1, maxLength: 40 }),
      async (ids, arrivals) => {
        const before = { events: await count(store, 'events'), repeats: await count(store, 'deliveries') };
        const sent = arrivals.map(([index, viaOther]) => {
          const eventId = ids[index % ids.length] as string;
          return { eventId, fate: (viaOther ? other : groupCommit).add([newEvent({ eventId })]) };
        });
        const kinds = new Map<string, string[]>();
        for (const { eventId, fate } of sent) {
          const [stored] = await fate;
          kinds.set(eventId, [...(kinds.get(eventId) ?? []), stored?.kind ?? '']);
        }
        for (const kindsOfOne of kinds.values()) {
          expect(kindsOfOne.filter((kind) => kind === 'stored')).toHaveLength(1);
          expect(kindsOfOne.filter((kind) => kind === 'known')).toHaveLength(kindsOfOne.length - 1);
        }
        expect((await count(store, 'events')) - before.events).toBe(kinds.size);
        expect((await count(store, 'deliveries')) - before.repeats).toBe(arrivals.length - kinds.size);
      },
    ),
    { numRuns: 25 },
  );
  // The bytes of a repeat are the first one's, and are kept once.
  expect(await count(store, 'bodies')).toBe(await count(store, 'events'));
});

test('[R7] a repeat says whether its event is still to be woken up', async () => {
  const { store, groupCommit } = await door();
  const [first] = await groupCommit.add([newEvent({ eventId: 'evt_1' })]);
  const [again] = await groupCommit.add([newEvent({ eventId: 'evt_1' })]);
  expect(again).toEqual({ ...first, kind: 'known' });
  await store.write('UPDATE events SET taken_at = UTC_TIMESTAMP(6), wake_at = NULL');
  expect(await groupCommit.add([newEvent({ eventId: 'evt_1' })])).toMatchObject([
    { kind: 'known', taken: true },
  ]);
});

test('[R8] the same id with other news is kept beside the first, and is a conflict each time it comes', async () => {
  const { store, groupCommit, otherDoor } = await door();
  const first = newEvent({ eventId: 'evt_1', type: 'order.created' });
  const other = newEvent({ eventId: 'evt_1', type: 'order.cancelled' });
  const third = newEvent({ eventId: 'evt_1', type: 'order.created', version: '9' });
  // In one group, in the next one, and from another process.
  const [a, b, c] = await groupCommit.add([first, other, other]);
  expect([a?.kind, b?.kind, c?.kind]).toEqual(['stored', 'conflict', 'conflict']);
  expect(b?.seq).toBe(c?.seq);
  expect(b?.seq).not.toBe(a?.seq);
  expect(await groupCommit.add([other, third, first])).toMatchObject([
    { kind: 'conflict', seq: b?.seq },
    { kind: 'conflict' },
    { kind: 'known', seq: a?.seq },
  ]);
  expect(await otherDoor().add([third])).toMatchObject([{ kind: 'conflict' }]);

  const events = await listEvents(store, { limit: 10 });
  expect(events).toHaveLength(3);
  expect(new Set(events.map(({ conflictOf }) => conflictOf))).toEqual(new Set([null, a?.seq]));
  const shown = await showEvent(store, b?.seq as string);
  expect(shown?.event).toMatch(/^evt_1~conflict-[0-9a-f]{16}$/);
  expect(shown?.allDeliveries).toHaveLength(3);
});

test('[R8] an event id and a delivery id are kept apart, each delivery under its own', async () => {
  const { store, groupCommit } = await door();
  const [stored] = await groupCommit.add([newEvent({ eventId: 'evt_1', deliveryId: 'del_1' })]);
  await groupCommit.add([newEvent({ eventId: 'evt_1', deliveryId: 'del_2', secretId: 'b' })]);
  const shown = await showEvent(store, stored?.seq as string);
  expect(shown?.allDeliveries.map(({ deliveryId, secretId }) => [deliveryId, secretId])).toEqual([
    ['del_1', 'a'],
    ['del_2', 'b'],
  ]);
});

test('[R9] the whole record of an event is kept, its bytes and its microseconds', async () => {
  const { store, groupCommit } = await door();
  const body = Buffer.from([0x7b, 0x00, 0xff, 0x27, 0x5c, 0x0a, 0x7d]);
  const receivedAtMs = Date.UTC(2026, 10, 30, 23, 59, 59, 123) + 0.457;
  const [stored] = await groupCommit.add([
    newEvent({
      eventId: 'evt_1',
      deliveryId: 'del_1',
      mode: 'live',
      account: 'acct_1',
      providerType: 'charge.captured',
      type: 'payment.captured',
      payment: 'pi_1',
      version: '12345678901234567890',
      claimedAt: '2026-11-30T23:59:58.1234567Z',
      createdAt: '2026-11-30T23:59:57Z',
      receivedAtMs,
      headers: { 'webhook-id': 'del_1' },
      facts: { amount: '1000', currency: 'eur' },
      refs: ['order:1042', 'payment:pi_1'],
      adapterVersion: 3,
      body,
    }),
  ]);
  expect(await showEvent(store, stored?.seq as string)).toMatchObject({
    source: 'shop',
    environment: 'live',
    order: { machine: 'order', environment: 'live', id: '1042' },
    event: 'evt_1',
    mode: 'live',
    account: 'acct_1',
    providerType: 'charge.captured',
    type: 'payment.captured',
    object: 'order:1042',
    payment: 'pi_1',
    version: '12345678901234567890',
    claimedAt: '2026-11-30T23:59:58.1234567Z',
    createdAt: '2026-11-30T23:59:57Z',
    receivedAt: '2026-11-30T23:59:59.123457Z',
    facts: { amount: '1000', currency: 'eur' },
    refs: ['order:1042', 'payment:pi_1'],
    secretId: 'a',
    adapterVersion: 3,
    outcome: null,
    deliveries: 1,
    attempts: 0,
    allDeliveries: [
      {
        deliveryId: 'del_1',
        headers: { 'webhook-id': 'del_1' },
        fingerprint: createHash('sha256').update(body).digest('hex'),
        body,
      },
    ],
  });
});

test('[R12] identifiers keep their bytes: what differs in one of them is another event', async () => {
  const { store, groupCommit } = await door();
  const ids = [
    ...[
      'evt',
      'Evt',
      'EVT',
      'evt ',
      'evt  ',
      ' evt',
      'evt\t',
      'evt\0',
      'evt\\',
      "evt'",
      'evt"',
      'evt%',
      'evt_',
    ],
    ...['12345678901234567890', '12345678901234567891', '012', '12', '1e3', '1000'],
    ...[
      'é',
      'e\u0301',
      'ß',
      'ss',
      'ı',
      'i',
      'İ',
      '😀',
      '😁',
      '\u{1F469}\u200D\u{1F4BB}',
      '\uFEFFx',
      'x',
      '\u200Bx',
    ],
    'x'.repeat(255),
    'é'.repeat(127),
  ];
  const stored = await groupCommit.add(ids.map((eventId) => newEvent({ eventId, order: eventId })));
  expect(stored.map(({ kind }) => kind)).toEqual(ids.map(() => 'stored'));
  const events = await listEvents(store, { limit: 100 });
  expect(new Set(events.map(({ event }) => event))).toEqual(new Set(ids));
  for (const { event, order } of events) expect(order?.id).toBe(event);
  for (const id of ids) expect(await showEvents(store, { event: id })).toHaveLength(1);

  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }), async (text) => {
      const [one] = await groupCommit.add([
        newEvent({ eventId: `p${text}`, order: text, object: `o${text}` }),
      ]);
      const shown = await showEvent(store, one?.seq as string);
      expect([shown?.event, shown?.order?.id, shown?.object]).toEqual([`p${text}`, text, `o${text}`]);
    }),
    { numRuns: 60 },
  );
});

test('a row that the database refuses fails alone, the others of its group are stored', async () => {
  const { store, groupCommit } = await door();
  const ids = Array.from({ length: 20 }, (_, index) => `evt_${index}`);
  const refused = groupCommit.add([newEvent({ eventId: 'x'.repeat(256) })]);
  const others = ids.map((eventId) => groupCommit.add([newEvent({ eventId })]));
  await expect(refused).rejects.toMatchObject({ code: 'internal' });
  for (const fate of await Promise.all(others)) expect(fate).toMatchObject([{ kind: 'stored' }]);
  expect(await count(store, 'events')).toBe(20);
});

test('a row that ends the session of its group fails alone, too', async () => {
  const { store, groupCommit } = await door({ maxBytes: 100_000_000 });
  const [limits] = await store.query<{ packet: string }>('SELECT @@max_allowed_packet AS packet');
  const body = Buffer.alloc(Number(limits?.packet) / 2 + 1_000);
  const fates = await Promise.allSettled([
    ...['evt_1', 'evt_2', 'evt_3'].map((eventId) => groupCommit.add([newEvent({ eventId })])),
    groupCommit.add([newEvent({ eventId: 'evt_too_large', body })]),
    ...['evt_4', 'evt_5'].map((eventId) => groupCommit.add([newEvent({ eventId })])),
  ]);
  expect(fates.map(({ status }) => status)).toEqual([
    ...['fulfilled', 'fulfilled', 'fulfilled'],
    'rejected',
    ...['fulfilled', 'fulfilled'],
  ]);
  expect(await count(store, 'events')).toBe(5);
});

test.each(['cut_before', 'cut_after'] as const)(
  '[R5] a commit of unknown fate (%s) is run again whole: stored once, answered as stored, no false repeat',
  async (fate) => {
    const { store, world } = await door();
    const { proxy, store: cutStore, groupCommit } = await throughProxy(world.mysqlUrl, fate);
    world.defer(() => proxy.close());
    world.defer(() => cutStore.close());
    const events = ['evt_1', 'evt_2', 'evt_3'].map((eventId) => newEvent({ eventId }));
    const copy = newEvent({ eventId: 'evt_1' });
    const conflict = newEvent({ eventId: 'evt_2', type: 'order.cancelled' });
    const fates = await groupCommit.add([...events, copy, conflict]);
    expect(fates.map(({ kind }) => kind)).toEqual(['stored', 'stored', 'stored', 'known', 'conflict']);
    expect(await count(store, 'events')).toBe(4);
    expect(await count(store, 'deliveries')).toBe(1);
    expect(await count(store, 'bodies')).toBe(4);
    expect(proxy.statements.filter(isCommit).length).toBe(2);
  },
);

test.each(['cut_before', 'cut_after'] as const)(
  '[R5] a packet of new events whose fate is unknown (%s) is looked for and stored once',
  async (fate) => {
    const { store, world } = await door();
    const { proxy, store: cutStore, groupCommit } = await throughProxy(world.mysqlUrl, fate);
    world.defer(() => proxy.close());
    world.defer(() => cutStore.close());
    const fates = await groupCommit.add(['evt_1', 'evt_2', 'evt_3'].map((eventId) => newEvent({ eventId })));
    expect(fates.map(({ kind }) => kind)).toEqual(['stored', 'stored', 'stored']);
    for (const { seq, eventId } of fates)
      expect(await showEvent(store, seq)).toMatchObject({ event: eventId });
    expect(await count(store, 'events')).toBe(3);
    expect(await count(store, 'deliveries')).toBe(0);
    expect(await count(store, 'bodies')).toBe(3);
    expect(proxy.statements.filter(isCommit).length).toBe(2);
  },
);

test('[R9] each event of a large group has its own number, bytes and objects', async () => {
  const { store, groupCommit, otherDoor } = await door();
  const other = otherDoor();
  const events = Array.from({ length: 120 }, (_, index) =>
    newEvent({
      eventId: `evt_${(index * 37) % 120}`,
      order: index % 3 === 0 ? null : `o${index}`,
      refs: [`order:${index}`, `payment:${index}`],
    }),
  );
  const doors = [groupCommit, other];
  const groups = [0, 1].map((half) => events.filter((_, index) => index % 2 === half));
  const fates = await Promise.all(groups.map((group, half) => (doors[half] as GroupCommit).add(group)));
  expect([groupCommit.stats.groups, other.stats.groups]).toEqual([1, 1]);
  for (const [half, group] of groups.entries()) {
    for (const [index, event] of group.entries()) {
      const shown = await showEvent(store, fates[half]?.[index]?.seq as string);
      expect(shown).toMatchObject({ event: event.eventId, refs: event.refs });
      expect(shown?.allDeliveries).toMatchObject([{ body: event.body }]);
      const waiting = await store.query<{ ref: string }>('SELECT ref FROM unlinked WHERE seq = ?', [
        BigInt(fates[half]?.[index]?.seq as string),
      ]);
      expect(waiting.map(({ ref }) => ref)).toEqual(event.order === null ? event.refs : []);
    }
  }
});

test('[R7] repeats among new events are found whether or not they were looked for', async () => {
  const { store, groupCommit } = await door();
  const [first] = await groupCommit.add([newEvent({ eventId: 'evt_1' })]);
  const kindsOf = async (ids: string[]) =>
    (await groupCommit.add(ids.map((eventId) => newEvent({ eventId })))).map(({ kind }) => kind);
  expect(await kindsOf(['evt_2', 'evt_1', 'evt_3'])).toEqual(['stored', 'known', 'stored']);
  expect(await kindsOf(['evt_4', 'evt_5'])).toEqual(['stored', 'stored']);
  expect(await kindsOf(['evt_6', 'evt_5'])).toEqual(['stored', 'known']);
  const shown = await showEvent(store, first?.seq as string);
  expect(shown?.allDeliveries).toHaveLength(2);
  expect(await count(store, 'events')).toBe(6);
  expect(await count(store, 'bodies')).toBe(6);
});
