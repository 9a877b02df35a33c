/** What can be seen of a signing secret and of an API key before they are used: their form, never their value. */
import type { SourceSettings } from '../provider.ts';

export function secretProblem(value: string): string | null {
  if (value.startsWith('whsec_')) return null;
  return /^(sk|rk|pk)_/.test(value)
    ? 'is an API key; the signing secret of the endpoint is another one (whsec_…)'
    : 'does not begin with whsec_, as signing secrets of Stripe do';
}

export function keyProblem(key: string, { mode }: SourceSettings): string | null {
  const [, kind, of] = /^(rk|sk|pk)_(live|test)_/.exec(key) ?? [];
  if (kind === undefined) return 'does not look like one of Stripe (rk_live_…, rk_test_…)';
  if (mode !== null && of !== mode)
    return `is of ${of} mode and the source of ${mode} mode: it finds nothing there`;
  if (kind === 'pk') return 'is a publishable one, which may not read';
  return kind === 'sk' ? 'may do everything; a restricted one (rk_…) that only reads is enough' : null;
}
