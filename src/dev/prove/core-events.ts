/** What the sandbox says, as the pure core hears it: for plays in memory, without a receiver and a store. */
import { factOf } from '../../fact.ts';
import type { Answer, OrderEvent } from '../../ordering/state.ts';
import { sourceSettings } from '../../providers/conformance/world.ts';
import { isRefusal } from '../../providers/provider.ts';
import { readAnswer } from '../../providers/read-answer.ts';
import { sandbox } from '../../providers/sandbox.ts';
import type { SandboxEvent, World } from '../sandbox/world.ts';

const SOURCE = 'sandbox';
const settings = sourceSettings({ name: SOURCE, environment: 'demo' });

/** `seq`: the place of its row. */
export function toOrderEvent(event: SandboxEvent, seq: number): OrderEvent {
  const body = Buffer.from(event.body);
  const [parsed] = sandbox.parse({ source: SOURCE, headers: {}, body, url: '', receivedAtMs: 0 }, settings);
  if (parsed === undefined || isRefusal(parsed)) throw new Error(JSON.stringify(parsed));
  const type = parsed.type ?? null;
  return {
    seq: String(seq),
    source: SOURCE,
    event: parsed.eventId,
    stream: `${SOURCE}/${parsed.object}`,
    type,
    payment: parsed.payment ?? null,
    version: parsed.version ?? null,
    claimedAt: parsed.claimedAt ?? null,
    fact: factOf(type, parsed.facts),
    facts: parsed.facts,
  };
}

/** What its API says of a stream, asked at `asOf`. */
export async function answerOf(world: World, stream: string, asOf: number): Promise<Answer> {
  const object = stream.slice(SOURCE.length + 1);
  const found = world.answerAbout(object);
  if (found === null || sandbox.fetch === undefined) return { kind: 'gone', stream, asOf };
  const api = { get: () => Promise.resolve({ status: 'ok' as const, body: found }) };
  const snapshot = await sandbox.fetch(api, object, settings);
  if (snapshot === 'gone') return { kind: 'gone', stream, asOf };
  return { kind: 'snapshot', snapshot: readAnswer(snapshot, { stream, asOf, types: {} }) };
}
