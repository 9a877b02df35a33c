/**
 * The part of the receiver: a real one over a real database, and strangers at its door. It lives, goes on answering good
 * deliveries in time and does not grow; each answer is one of its table, no client's fault is answered 5xx; nothing
 * unsigned is stored, and every body that was answered 2xx is there, byte for byte.
 */
import { hash } from 'node:crypto';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { rm } from 'node:fs/promises';
import { startMysql } from '../../../src/dev/services/mysql.ts';
import { makeTemporaryDirectory } from '../../../src/dev/services/temporary-directory.ts';
import type { OpenPart, Part } from '../part.ts';
import { exchanges, isPlain, writtenRequest } from './requests.ts';
import type { Exchange, RequestInput } from './requests.ts';
import { exchange } from './stranger.ts';
import type { Answered } from './stranger.ts';
import { startUnderFire } from './under-fire.ts';
import type { UnderFire } from './under-fire.ts';

export const receiver: Part<Exchange> = {
  name: 'receiver',
  inputs: exchanges,
  perRound: 150,
  open: openWithOwnMysql,
};

async function openWithOwnMysql(): Promise<OpenPart<Exchange>> {
  const given = process.env['MYSQL_URL'] ?? '';
  if (given !== '') return openReceiver(given);
  const dataDir = await makeTemporaryDirectory('mysql');
  const announce = (line: string): void => void process.stderr.write(`${line}\n`);
  const mysql = await startMysql({ dataDir, announce });
  const open = await openReceiver(mysql.url);
  return {
    ...open,
    async close() {
      await open.close();
      await mysql.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export async function openReceiver(mysqlServerUrl: string): Promise<OpenPart<Exchange>> {
  const target = await startUnderFire(mysqlServerUrl);
  const attack = new Attack(target);
  return {
    findFaults: (input) => attack.findFaults(input),
    findFaultsOfRound: () => attack.findFaultsOfRound(),
    async close() {
      attack.end();
      await target.close();
    },
  };
}

/** The answers of DESIGN's table, and 431 for headers that no table of deliveries speaks of. */
const STATUSES = new Set([200, 202, 400, 401, 404, 405, 408, 413, 415, 422, 431]);
const IDLE_CONNECTIONS = 200;
/** Of a process that has warmed up; what it may hold at once of bodies is bounded by 64 MiB. */
const MOST_GROWTH_MIB = 160;
const WARM_AFTER_ROUNDS = 3;
const IN_TIME_MS = 15_000;

const GOOD: RequestInput = {
  method: 'POST',
  target: '/webhooks/shop',
  version: 'HTTP/1.1',
  headers: ['Connection: close'],
  body: null,
  isSigned: true,
  encoding: 'none',
  framing: 'length',
};

class Attack {
  private readonly target: UnderFire;
  /** Fingerprints of what was signed by the right secret, of what was answered 2xx, and of what is stored. */
  private readonly genuine = new Set<string>();
  private readonly taken = new Set<string>();
  private readonly stored = new Set<string>();
  private readonly idle: Socket[] = [];
  private rounds = 0;
  private warmMib = Infinity;

  constructor(target: UnderFire) {
    this.target = target;
  }

  async findFaults({ requests, before, after, ending }: Exchange): Promise<string[]> {
    const written = requests.map(writtenRequest);
    for (const [index, { body }] of written.entries())
      if (requests[index]?.isSigned === true) this.genuine.add(fingerprint(body));
    const bytes = Buffer.concat([
      Buffer.from(before, 'latin1'),
      ...written.map((one) => one.bytes),
      Buffer.from(after, 'latin1'),
    ]);
    const isAnswerable = requests.every(isPlain) && before === '' && typeof ending !== 'number';
    const awaited = isAnswerable && ending === 'waits' ? requests.length : null;
    const answers = await exchange(this.target.port, bytes, { ending, awaited });
    const faults = answers.flatMap(faultsOfAnswer);
    if (awaited !== null) faults.push(...this.judgePlain(requests, answers, written));
    const end = this.target.findEnd();
    return end === null ? faults : [end, ...faults];
  }

  /** Each request of a connection with nothing odd about it has its own answer, by its signature. */
  private judgePlain(requests: RequestInput[], answers: Answered[], written: { body: Buffer }[]): string[] {
    if (answers.length < requests.length) return [`${answers.length} answers to ${requests.length} requests`];
    return requests.flatMap(({ isSigned }, index) => {
      const { status = 0 } = answers[index] ?? {};
      const { body } = written[index] as { body: Buffer };
      if (status === 202 && isSigned) this.taken.add(fingerprint(body));
      if (status === 202 && !isSigned) return ['a forgery was answered 202'];
      return status === 401 && isSigned ? ['a genuine delivery was answered 401'] : [];
    });
  }

  async findFaultsOfRound(): Promise<string[]> {
    this.rounds += 1;
    const end = this.target.findEnd();
    if (end !== null) return [end];
    this.holdIdle();
    const startedAt = performance.now();
    const good = writtenRequest(GOOD);
    this.genuine.add(fingerprint(good.body));
    const [answer] = await exchange(this.target.port, good.bytes, { ending: 'waits', awaited: 1 });
    const ms = performance.now() - startedAt;
    const faults: string[] = [];
    if (answer?.status !== 202) faults.push(`a good delivery was answered ${answer?.status ?? 'nothing'}`);
    else this.taken.add(fingerprint(good.body));
    if (ms > IN_TIME_MS) faults.push(`a good delivery took ${Math.round(ms)} ms`);
    return [...faults, ...(await this.findFaultsOfStore()), ...(await this.findGrowth())];
  }

  private async findFaultsOfStore(): Promise<string[]> {
    for (const body of await this.target.storedSince()) this.stored.add(body);
    const faults: string[] = [];
    const lost = [...this.taken].filter((body) => !this.stored.has(body)).length;
    if (lost > 0) faults.push(`${lost} bodies were answered 2xx and are not stored as they were`);
    const forged = [...this.stored].filter((body) => !this.genuine.has(body)).length;
    if (forged > 0) faults.push(`${forged} bodies are stored that nobody signed`);
    return faults;
  }

  private async findGrowth(): Promise<string[]> {
    const mib = await this.target.memoryMib();
    if (this.rounds <= WARM_AFTER_ROUNDS) {
      this.warmMib = mib;
      return [];
    }
    const grown = mib - this.warmMib;
    return grown > MOST_GROWTH_MIB ? [`memory grew by ${Math.round(grown)} MiB since it was warm`] : [];
  }

  /** Those who only hold a connection, with half a request or none; new ones each round, the old ones cut. */
  private holdIdle(): void {
    for (const socket of this.idle.splice(0)) socket.destroy();
    for (let n = 0; n < IDLE_CONNECTIONS; n++) {
      const socket = connect({ port: this.target.port, host: '127.0.0.1' });
      socket.on('error', () => undefined);
      if (n % 2 === 0) socket.write('POST /webhooks/shop HTTP/1.1\r\nHost: x\r\nX-Slow: ');
      this.idle.push(socket);
    }
  }

  end(): void {
    for (const socket of this.idle.splice(0)) socket.destroy();
  }
}

const fingerprint = (body: Buffer): string => hash('sha256', body);

function faultsOfAnswer({ status, body }: Answered): string[] {
  if (!STATUSES.has(status)) return [`answered ${status}: ${body.slice(0, 300)}`];
  if (status < 400 || body === '') return [];
  try {
    const { error, message } = JSON.parse(body) as { error?: unknown; message?: unknown };
    return typeof error === 'string' && typeof message === 'string'
      ? []
      : [`${status} says nothing: ${body}`];
  } catch {
    return [`${status} without words: ${body.slice(0, 300)}`];
  }
}
