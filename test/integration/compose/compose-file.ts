/** docker-compose.yml as Docker reads it: anchors merged, variables put in; only what a test looks at is typed. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export interface Healthcheck {
  test?: string[];
  disable?: boolean;
  start_period?: string;
}
export interface Service {
  image: string;
  build?: string;
  init?: boolean;
  restart?: string;
  command?: string[];
  entrypoint?: string[];
  env_file?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  ports?: string[];
  healthcheck?: Healthcheck;
  stop_grace_period?: string;
  depends_on?: Record<string, { condition: string }>;
  configs?: { source: string; target: string }[];
  logging?: unknown;
}
export interface ComposeFile {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  configs: Record<string, unknown>;
}

const FILE = 'docker-compose.yml';

export function readCompose(variables: Record<string, string>): ComposeFile {
  const text = interpolate(readFileSync(FILE, 'utf8'), variables);
  return parse(text, { merge: true }) as ComposeFile;
}

/** `${NAME:?message}`, `${NAME:-default}`, and `$$` for a dollar that is the container's. */
export function interpolate(text: string, variables: Record<string, string>): string {
  return text.replaceAll(
    /\$\$|\$\{(\w+):([-?])([^}]*)\}|\$\{?\w+\}?/g,
    (found, name: string, kind: string, rest: string) => {
      if (found === '$$') return '$';
      if (name === undefined) throw new Error(`${FILE}: ${found} has neither a default nor a message`);
      const value = variables[name] ?? '';
      if (value !== '') return value;
      if (kind === '?') throw new Error(`${name}: ${rest}`);
      return rest;
    },
  );
}

/** `30s`, `90s`. */
export const seconds = (text = ''): number => Number(/^(\d+)s$/.exec(text)?.[1] ?? Number.NaN);
