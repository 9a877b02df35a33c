/** The sandbox provider in a story; the shapes are those of `src/providers/sandbox.ts`. */
import { randomBytes } from 'node:crypto';
import type { ProviderWriter, WrongAnswer } from './provider-writer.ts';
import { signAsStandardWebhook } from './write-standard-webhooks.ts';
import type { TrueObject } from './truth.ts';

export const writeSandbox: ProviderWriter = {
  newSecret: () => `whsec_${randomBytes(32).toString('base64')}`,
  source: (api) => ({
    unknownTypes: 'reject',
    ...(api === null ? {} : { apiBase: api.url, apiKey: api.key, apiPerSecond: 200 }),
  }),

  // ── deliveries ───────────────────────────────────────────────────────────────────────────────────────────
  body(event) {
    const [kind, id] = splitObject(event.object);
    return Buffer.from(
      JSON.stringify({
        id: event.id,
        type: event.type,
        ...(event.time === null ? {} : { created: event.time }),
        ...(event.order === null ? {} : { order: event.order }),
        object: {
          kind,
          id,
          ...(event.payment === null || kind === 'payment' ? {} : { payment: event.payment }),
          ...(event.created === null ? {} : { created: event.created }),
        },
        version: event.version,
        data: event.facts,
        ...(event.mode === null ? {} : { mode: event.mode }),
        ...(event.account === null ? {} : { account: event.account }),
      }),
    );
  },
  sign: signAsStandardWebhook,
  hasMeaning: (type, { provider, types }) => (types[type] ?? provider.types[type]) !== null,

  // ── the API ──────────────────────────────────────────────────────────────────────────────────────────────
  answer({ path: [kind, id = '', ...more] }, { source, truth, behind, wrong }) {
    if (more.length > 0) return NOT_FOUND;
    if (kind === 'objects') {
      const known = truth.about(source.name, id, behind);
      return known === null ? NOT_FOUND : { status: 200, body: spoil(objectBody(known), wrong) };
    }
    const objects = kind === 'orders' ? truth.objectsOf(source.name, id) : [];
    if (objects.length === 0) return NOT_FOUND;
    return { status: 200, body: { order: id, objects: objects.map(({ object }) => object) } };
  },
};

const NOT_FOUND = { status: 404, body: { error: 'not found' } };

/** A type that says nothing is a word that the adapter knows so. */
const NOTHING = 'order.note_added';

function objectBody({ object, type, version, payment, order, facts, parts, body }: TrueObject): object {
  if (typeof body === 'object' && body !== null) return body;
  return {
    object,
    type: type ?? NOTHING,
    version: version ?? '1',
    ...(order === null ? {} : { order }),
    ...(payment === null ? {} : { payment }),
    data: facts,
    refunds: parts.map((part) => ({ type: part.type, data: part.facts })),
  };
}

function spoil(body: object, wrong: WrongAnswer | null): object {
  if (wrong === 'another_object') return { ...body, object: 'payment:of_somebody_else' };
  return wrong === 'an_unknown_type' ? { ...body, type: 'object.became_strange' } : body;
}

function splitObject(object: string): [kind: string, id: string] {
  const colon = object.indexOf(':');
  return [object.slice(0, colon), object.slice(colon + 1)];
}
