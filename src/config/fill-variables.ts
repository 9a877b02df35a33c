/** Puts the values of variables where a configuration names them; machines, adapters and functions are left as they are. */
import type { EnvReference } from './written.ts';
import { configPath } from './config-path.ts';
import { readVariable } from './read-variable.ts';
import type { Variables } from './read-variable.ts';

export interface Filled {
  value: unknown;
  /** By path: a field whose variable is missing is reported once, here. */
  problems: Map<string, string>;
}

export function fillVariables(written: unknown, variables: Variables): Filled {
  const problems = new Map<string, string>();
  return { value: fill(written, [], variables, problems), problems };
}

function fill(
  value: unknown,
  path: PropertyKey[],
  variables: Variables,
  problems: Map<string, string>,
): unknown {
  if (isEnvReference(value)) {
    const found = lookUp(value, variables);
    if (typeof found === 'string' || found === undefined) return found;
    problems.set(configPath(path), found.problem);
    // Something stands there, so that nothing else is said about its absence.
    return '(not set)';
  }
  if (Array.isArray(value)) return value.map((item, i) => fill(item, [...path, i], variables, problems));
  const isWhole = path[0] === 'machines' || (path[0] === 'sources' && path[2] === 'provider');
  if (!isPlainObject(value) || isWhole) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, fill(item, [...path, key], variables, problems)]),
  );
}

function lookUp(reference: EnvReference, variables: Variables): string | undefined | { problem: string } {
  const name = reference.fromEnvironment;
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return { problem: `env('${name}') is not a variable's name` };
  if (name.startsWith('INORDER_')) {
    return {
      problem: `env('${name}'): names that start with INORDER_ are kept for inorder itself; choose another`,
    };
  }
  const found = readVariable(variables, name);
  if ('problem' in found) return found;
  if (found.value !== null) return found.value;
  return reference.optional
    ? undefined
    : { problem: `needs the variable ${name}, or a file named by ${name}_FILE; neither is set` };
}

function isEnvReference(value: unknown): value is EnvReference {
  return isPlainObject(value) && typeof value['fromEnvironment'] === 'string';
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
