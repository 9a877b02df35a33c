/** A sender of Standard Webhooks in a story: its fields go where the source's `paths` say that they are. */
import { randomBytes } from 'node:crypto';
import type { Source } from '../../../config/resolved.ts';
import { SIGNATURE_HEADER, signStandardWebhook } from '../../../providers/standard-webhooks-signature.ts';
import type { ProviderWriter, Signing, UnsignedDelivery, WrongAnswer } from './provider-writer.ts';
import type { TrueObject } from './truth.ts';

const PATHS = {
  id: 'id',
  type: 'type',
  time: 'timestamp',
  order: 'data.order',
  object: 'data.object',
  kind: 'data.kind',
  payment: 'data.payment',
  created: 'data.created',
};

export const writeStandardWebhooks: ProviderWriter = {
  newSecret: () => `whsec_${randomBytes(32).toString('base64')}`,
  source(api, { contract, paths }) {
    const isVersioned = contract === 'sequence' || contract === 'monotonic';
    const own = (paths as Record<string, string> | undefined) ?? {
      ...PATHS,
      ...(isVersioned ? { version: 'data.version' } : {}),
    };
    const object = own['kind'] === undefined ? '{object}' : '{kind}/{object}';
    return {
      unknownTypes: 'reject',
      paths: own,
      ...(api === null
        ? {}
        : {
            fetch: { url: `${api.url}/objects/${object}`, bearer: api.key },
            find: { url: `${api.url}/orders/{order}` },
            apiPerSecond: 200,
          }),
    };
  },

  // ── deliveries ───────────────────────────────────────────────────────────────────────────────────────────
  body: (event, source) => Buffer.from(JSON.stringify(fieldsOf(event, source))),
  sign: signAsStandardWebhook,
  hasMeaning: (type, { provider, types }) => (types[type] ?? provider.types[type]) !== null,

  // ── the API ──────────────────────────────────────────────────────────────────────────────────────────────
  answer({ path: [what, ...names] }, { source, truth, behind, wrong }) {
    if (what === 'objects') {
      const objects = names.length === 2 ? [names.join(':')] : KINDS.map((kind) => `${kind}:${names[0]}`);
      const known = objects
        .map((object) => truth.about(source.name, object, behind))
        .find((one) => one !== null);
      if (known === undefined || known === null) return NOT_FOUND;
      return { status: 200, body: answerBody(known, source, wrong) };
    }
    if (what !== 'orders') return NOT_FOUND;
    const listed = truth.objectsOf(source.name, names[0] ?? '');
    return { status: 200, body: listed.map((known) => answerBody(known, source, null)) };
  },
};

/** The sandbox signs so, too. */
export function signAsStandardWebhook(
  { id, body }: UnsignedDelivery,
  { secrets, timestampSeconds }: Signing,
): Record<string, string> {
  const signed = secrets.map((secret) => signStandardWebhook(secret, { id, timestampSeconds, body }));
  const signatures = signed.map((headers) => headers[SIGNATURE_HEADER]);
  return { 'content-type': 'application/json', ...signed[0], [SIGNATURE_HEADER]: signatures.join(' ') };
}

const NOT_FOUND = { status: 404, body: { error: 'not found' } };

/** What the one kind of objects may be where no field says it. */
const KINDS = ['order', 'payment', 'object'];

function answerBody(known: TrueObject, source: Source, wrong: WrongAnswer | null): object {
  if (typeof known.body === 'object' && known.body !== null) return known.body;
  const said =
    wrong === 'another_object'
      ? { ...known, object: 'payment:of_somebody_else', order: 'of_somebody_else' }
      : wrong === 'an_unknown_type'
        ? { ...known, type: 'object.became_strange' }
        : known;
  return fieldsOf({ ...said, id: null, time: null, mode: null, account: null }, source);
}

type Told = Omit<TrueObject, 'parts' | 'body'> & {
  id: string | null;
  time: string | null;
  mode: string | null;
  account: string | null;
};

function fieldsOf(told: Told, { settings: { paths, orderPaths } }: Source): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  const put = (name: string, value: string | null, byDefault?: string): void => {
    const path = paths[name] ?? byDefault;
    if (path !== undefined && value !== null) setAt(body, path.split('.'), value);
  };
  const colon = told.object.indexOf(':');
  const [kind, id] = [told.object.slice(0, colon), told.object.slice(colon + 1)];
  put('id', told.id);
  put('type', told.type ?? 'object.looked_at', 'type');
  put('time', told.time, 'timestamp');
  put('created', told.created);
  put('kind', kind);
  put('payment', told.payment);
  put('order', told.order, orderPaths[0]);
  put('object', id);
  put('version', told.version);
  put('mode', told.mode);
  put('account', told.account);
  for (const [name, value] of Object.entries(told.facts)) put(`facts.${name}`, value, `data.${name}`);
  return body;
}

function setAt(target: Record<string, unknown>, [name = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  const inner = (target[name] ??= {}) as Record<string, unknown>;
  setAt(inner, rest, value);
}
