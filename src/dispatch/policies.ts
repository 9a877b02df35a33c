/** Which policies travel with a signal: those of every source that feeds the order's machine and environment. */
import type { Config } from '../config/resolved.ts';
import type { OrderKey, SourcePolicy } from '../ordering/state.ts';

export function createPoliciesOf(
  config: Pick<Config, 'sources'>,
): (key: OrderKey) => Record<string, SourcePolicy> {
  const byScope = new Map<string, Record<string, SourcePolicy>>();
  for (const source of config.sources.values()) {
    const scope = scopeOf(source);
    const policies = byScope.get(scope) ?? {};
    policies[source.name] = source.policy;
    byScope.set(scope, policies);
  }
  return (key) => byScope.get(scopeOf(key)) ?? {};
}

const scopeOf = (of: { machine: string; environment: string }): string =>
  JSON.stringify([of.machine, of.environment]);
