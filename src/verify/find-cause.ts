/**
 * Why no secret of a source confirms a signature: usual mistakes are tried one after the other until one makes it
 * hold. What is returned is known to be so; what nobody thought of gives null.
 *
 * 1. The adapter's own `verify` judges every try, so that nothing is called right here that it would refuse.
 * 2. No secret and no piece of the body is in what is said: names, lengths and offsets only (R4).
 */
import type { Source } from '../config/resolved.ts';
import type { RawDelivery } from '../providers/provider.ts';
import { isRefusal } from '../providers/provider.ts';
import { bodyChanges, differenceOf } from './body-changes.ts';
import { schemeOf } from './scheme-of.ts';
import { explainSigning } from './signing-mistakes.ts';

export interface Cause {
  /** Where it has to be mended. */
  in: 'body' | 'secret' | 'sender';
  text: string;
}

/** Whether a secret confirms the signature, whatever the clock says. */
export function confirms(source: Source, delivery: RawDelivery, secret: string): boolean {
  const settings = { ...source.settings, toleranceMs: Number.MAX_SAFE_INTEGER };
  const secrets = [{ id: 'tried', value: secret, untilMs: null }];
  return !isRefusal(source.provider.verify(delivery, secrets, settings));
}

export function findCause(source: Source, delivery: RawDelivery, others: Iterable<Source>): Cause | null {
  return (
    otherSecret(source, delivery, others) ??
    otherwiseSigned(source, delivery) ??
    misreadSecret(source, delivery) ??
    changedBody(source, delivery)
  );
}

function otherSecret(source: Source, delivery: RawDelivery, others: Iterable<Source>): Cause | null {
  for (const other of others) {
    if (other.name === source.name) continue;
    for (const { id, value } of other.secrets) {
      if (!confirms(source, delivery, value)) continue;
      const text =
        `the secret "${id}" of the source "${other.name}" (${other.environment}) confirms it: ` +
        `it was sent for that endpoint, or the two secrets stand in each other's place`;
      return { in: 'secret', text };
    }
  }
  return null;
}

const MISREADINGS: [mistake: string, (secret: string) => string][] = [
  ['without the line break at its end', (secret) => secret.replace(/[\r\n]+$/, '')],
  ['without the blanks around it', (secret) => secret.trim()],
  [
    'with a line feed at its end, which the sender took for a part of it',
    (secret) => `${secret.trimEnd()}\n`,
  ],
  ['without the quotes around it', (secret) => secret.trim().replace(/^(["'])(.*)\1$/, '$2')],
  ['without its "whsec_"', (secret) => secret.replace(/^whsec_/, '')],
  ['with "whsec_" in front', (secret) => (secret.startsWith('whsec_') ? secret : `whsec_${secret}`)],
];

function misreadSecret(source: Source, delivery: RawDelivery): Cause | null {
  for (const { id, value } of source.secrets) {
    for (const [mistake, read] of MISREADINGS) {
      const secret = read(value);
      if (secret === value || secret === '' || !confirms(source, delivery, secret)) continue;
      return { in: 'secret', text: `the secret "${id}" confirms it ${mistake}` };
    }
  }
  return null;
}

function otherwiseSigned(source: Source, delivery: RawDelivery): Cause | null {
  for (const { id, value } of source.secrets) {
    const signings = schemeOf(source.provider.name)?.signings(delivery, value) ?? null;
    const text = signings === null ? null : explainSigning(signings);
    if (text !== null) return { in: 'sender', text: `${text} (secret "${id}")` };
  }
  return null;
}

function changedBody(source: Source, delivery: RawDelivery): Cause | null {
  for (const { change, body } of bodyChanges(delivery.body)) {
    if (body.equals(delivery.body)) continue;
    for (const { id, value } of source.secrets) {
      if (!confirms(source, { ...delivery, body }, value)) continue;
      const difference = differenceOf(body, delivery.body);
      return {
        in: 'body',
        text: `the body was changed after it was signed: ${change} (${difference}; secret "${id}" confirms what was signed)`,
      };
    }
  }
  return null;
}
