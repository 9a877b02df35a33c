/**
 * Authentic bodies with anything in them. A body ends in events or refusals and never in an exception; what becomes
 * a row fits into its columns byte for byte; the same JSON written otherwise is the same event.
 */
import fc from 'fast-check';
import type { Source } from '../../../src/config/resolved.ts';
import { requestsOf } from '../../../src/providers/conformance/requests.ts';
import type { ProviderWorld } from '../../../src/providers/conformance/world.ts';
import { isRefusal } from '../../../src/providers/provider.ts';
import type { ParsedEvent, Refusal } from '../../../src/providers/provider.ts';
import { normalise } from '../../../src/receiver/normalise.ts';
import type { NewEvent } from '../../../src/store/events.ts';
import { demoMachine } from '../../unit/dispatch/demo-machine.ts';
import { POLICY } from '../../unit/dispatch/policy.ts';
import { stripeWorld } from '../../unit/providers/stripe/world.ts';
import { anySenderWorld, keyPairWorld, sandboxWorld } from '../../unit/providers/worlds.ts';
import { oddJson } from '../odd-values.ts';
import { written, writings } from '../write-json.ts';
import type { Writing } from '../write-json.ts';

const WORLDS = {
  stripe: stripeWorld,
  sandbox: sandboxWorld,
  'any sender': anySenderWorld,
  'key pair': keyPairWorld,
};
type WorldName = keyof typeof WORLDS;

export interface BodyInput {
  world: WorldName;
  /** A word of the provider's types, by its number. */
  word: number;
  /** Other values, as texts of JSON, at the sample's paths by their number; null takes the field away. */
  values: { at: number; json: string | null }[];
  writing: Writing;
  /** Bytes of the whole body that are changed at last. */
  bytes: { at: number; byte: number }[];
}

export const bodies: fc.Arbitrary<BodyInput> = fc.record({
  world: fc.constantFrom<WorldName>('stripe', 'stripe', 'sandbox', 'any sender', 'key pair'),
  word: fc.nat(60),
  values: fc.array(
    fc.record({ at: fc.nat(200), json: fc.oneof({ weight: 8, arbitrary: oddJson }, fc.constant(null)) }),
    { maxLength: 3 },
  ),
  writing: writings,
  bytes: fc.oneof(
    { weight: 4, arbitrary: fc.constant<BodyInput['bytes']>([]) },
    fc.array(fc.record({ at: fc.nat(2_000), byte: fc.nat(255) }), { maxLength: 3 }),
  ),
});

export function findBodyFaults({ world: name, word, values, writing, bytes }: BodyInput): string[] {
  const world = WORLDS[name];
  const { parse } = requestsOf(world);
  const sample = sampleOf(world, word);
  const body = written(sample, values, writing);
  for (const { at, byte } of bytes) if (body.length > 0) body[at % body.length] = byte;

  const items = parse(body);
  const faults = items.flatMap((item) => faultsOf(world, item, body));
  if (values.length === 0 && bytes.length === 0 && writing.isSameJson) {
    const plain = JSON.stringify(parse(JSON.stringify(sample)));
    if (JSON.stringify(items) !== plain) faults.push(`written otherwise it is another event: ${plain}`);
  }
  if (Object.hasOwn(Object.prototype, 'polluted')) faults.push('the prototype of all objects was changed');
  return faults;
}

function sampleOf(world: ProviderWorld, word: number): Record<string, unknown> {
  const words = Object.keys(world.provider.types);
  const chosen = words[word % (words.length + 1)];
  return chosen !== undefined && world.sampleOf !== undefined ? world.sampleOf(chosen) : world.sample();
}

function faultsOf(world: ProviderWorld, item: ParsedEvent | Refusal, body: Buffer): string[] {
  const row = isRefusal(item) ? item : normalise(item, recordOf(world, body));
  if (isRefusal(row)) return row.message.length > 400 ? ['the message of a refusal is long'] : [];
  return faultsOfRow(row);
}

/** The columns of `events`: what does not fit would fail the whole group at the door. */
function faultsOfRow(row: NewEvent): string[] {
  const keys = [
    row.eventId,
    row.object,
    row.stream,
    row.order,
    row.payment,
    row.deliveryId,
    row.providerType,
  ];
  const more = [row.mode, row.account, row.version, row.claimedAt, row.createdAt, ...row.refs];
  const faults = [...keys, ...more].flatMap((value) => {
    if (value === null) return [];
    if (Buffer.byteLength(value) > 255) return [`a value of ${String(Buffer.byteLength(value))} bytes`];
    return Buffer.from(value).toString() === value ? [] : ['a value that has no UTF-8'];
  });
  if (Object.keys(row.facts).length > 16) faults.push('more than sixteen facts');
  for (const fact of Object.values(row.facts))
    if (Buffer.byteLength(fact) > 255 || Buffer.from(fact).toString() !== fact)
      faults.push(`a fact that is no short text: ${JSON.stringify(fact.slice(0, 40))}`);
  return faults;
}

function recordOf({ provider, settings }: ProviderWorld, body: Buffer) {
  const source: Source = {
    name: settings.name,
    provider,
    settings,
    environment: 'live',
    machine: 'order',
    mode: null,
    account: null,
    secrets: [],
    types: {},
    unknownTypes: 'archive',
    maxBytes: 1_048_576,
    contract: provider.contract,
    policy: POLICY,
    api: null,
    lists: false,
    reconcile: null,
  };
  const fingerprint = Buffer.alloc(32);
  return { source, machine: demoMachine, receivedAtMs: 0, headers: {}, fingerprint, secretId: 'a', body };
}
