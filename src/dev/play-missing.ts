/**
 * Values for the variables that a configuration needs and nobody has set, so that `inorder dev` runs it as it is
 * while its `.env` is still being filled in. Each is made up by what it stands for; nothing that is set is touched.
 */
import { randomBytes } from 'node:crypto';

export interface Played {
  environment: Record<string, string>;
  /** For a person: what does not work with a made-up value. */
  lines: string[];
}

export function playMissing(
  written: unknown,
  variables: NodeJS.ProcessEnv,
  effects: { url: string; secret: string },
): Played {
  const environment: Record<string, string> = {};
  const isSet = (name: string) => (variables[name] ?? variables[`${name}_FILE`] ?? '') !== '';
  const missing: Record<'secret' | 'key', string[]> = { secret: [], key: [] };
  const play = (reference: unknown, value: string, kind?: keyof typeof missing) => {
    const name = nameOf(reference);
    if (name === null || isSet(name) || name in environment) return;
    environment[name] = value;
    if (kind !== undefined) missing[kind].push(name);
  };

  const { sources, effects: handlers } = fieldsOf(written);
  for (const handler of Object.values(fieldsOf(handlers))) {
    const { url, secret } = fieldsOf(handler);
    play(url, effects.url);
    play(secret, effects.secret);
  }
  for (const source of Object.values(fieldsOf(sources))) {
    const { secrets, apiKey } = fieldsOf(source);
    for (const entry of Array.isArray(secrets) ? secrets : []) {
      play(fieldsOf(entry)['value'], `whsec_${randomBytes(32).toString('base64')}`, 'secret');
    }
    play(apiKey, 'not-set', 'key');
  }
  return {
    environment,
    lines: [
      ...missing.secret.map(
        (name) => `${name} is not set and was made up: real webhooks are refused until it is.`,
      ),
      ...missing.key.map((name) => `${name} is not set: the provider refuses to answer until it is.`),
    ],
  };
}

/** Whether somebody of the sandbox is received from: only then its variables mean the sandbox. */
export const hasSandbox = (written: unknown): boolean =>
  Object.values(fieldsOf(fieldsOf(written)['sources'])).some(
    (source) => fieldsOf(source)['provider'] === 'sandbox',
  );

/** Only what has to be there: an optional one is rightly absent. */
function nameOf(reference: unknown): string | null {
  const { fromEnvironment, optional } = fieldsOf(reference);
  return typeof fromEnvironment === 'string' && optional !== true ? fromEnvironment : null;
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
