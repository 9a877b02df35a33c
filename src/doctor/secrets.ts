/** Whether secrets can be right: their form, their end, what was copied along. No value is ever told. */
import { statSync } from 'node:fs';
import type { Source } from '../config/resolved.ts';
import { fail, ok, warn } from './check.ts';
import type { Check, Finding } from './check.ts';

const SOON_MS = 7 * 86_400_000;

export const secrets: Check = {
  name: 'secrets',
  needs: ['configuration'],
  look({ config, now }) {
    const ofSources = [...config.sources.values()].map((source) => ofSource(source, now()));
    const ofEffects = [...config.effects.values()].flatMap((effect) => {
      const problem = effect.kind === 'http' ? copiedAlong(effect.secret) : null;
      return problem === null ? [] : [fail(`its secret ${problem}`, 'set it again', `effect ${effect.name}`)];
    });
    return Promise.resolve([...ofSources.flat(), ...ofEffects, ...ofEnvFile('.env')]);
  },
};

function ofSource({ name, secrets: all, provider, api, settings }: Source, nowMs: number): Finding[] {
  const found: Finding[] = [];
  for (const { id, value } of all) {
    const problem = copiedAlong(value) ?? provider.secretProblem?.(value) ?? null;
    if (problem !== null)
      found.push(fail(`the secret ${id} ${problem}`, 'copy it again from the provider', name));
  }
  const keyProblem = api?.key == null ? null : (provider.keyProblem?.(api.key, settings) ?? null);
  if (keyProblem !== null)
    found.push(warn(`the API key ${keyProblem}`, 'make another one at the provider', name));
  const untils = all.map(({ untilMs }) => untilMs ?? Infinity);
  const lastEnd = Math.max(...untils);
  if (lastEnd <= nowMs) {
    found.push(
      fail('every secret has ended: all deliveries are refused', 'give the source one without `until`', name),
    );
  } else if (lastEnd < nowMs + SOON_MS) {
    found.push(
      warn(
        `its last secret ends ${new Date(lastEnd).toISOString()}`,
        'add the next one beside it, and take `until` away from one of them',
        name,
      ),
    );
  }
  const ended = untils.filter((until) => until <= nowMs).length;
  if (found.length > 0) return found;
  return [
    ok(`${all.length - ended} in force${ended > 0 ? `, ${ended} ended and can be taken out` : ''}`, name),
  ];
}

/** What an editor, a shell or a form adds on the way. */
function copiedAlong(value: string): string | null {
  if (/^\s|\s$/.test(value)) return 'begins or ends with a blank or a line break';
  if (/^(["']).*\1$/.test(value)) return 'has quotation marks around it';
  return null;
}

function ofEnvFile(file: string): Finding[] {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  if (mode === undefined || (mode & 0o077) === 0 || process.platform === 'win32') return [];
  return [warn('others on this machine may read it', `chmod 600 ${file}`, file)];
}
