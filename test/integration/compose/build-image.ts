/**
 * The Dockerfile without Docker: each stage is a folder, and its steps are carried out in it. RUN runs the very
 * command, COPY copies only what .dockerignore lets through, so that a missing file or a forgotten folder shows.
 */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Step {
  instruction: string;
  rest: string;
}

export interface Image {
  /** What is `/` in the last stage. */
  root: string;
  base: string;
  environment: Record<string, string>;
  workingDirectory: string;
  user: string;
  entrypoint: string[];
  exposed: string[];
  healthcheck: string[];
}

export function readDockerfile(): Step[] {
  const text = readFileSync('Dockerfile', 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '');
  return text.split('\n').flatMap((line) => {
    const [, instruction, rest] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    return instruction === undefined || rest === undefined ? [] : [{ instruction, rest }];
  });
}

/** Names at the top of the project that the context holds. */
export function contextNames(): Set<string> {
  const lines = readFileSync('.dockerignore', 'utf8').split('\n');
  if (!lines.includes('*')) throw new Error('.dockerignore must begin with nothing: a line "*"');
  return new Set(lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1)));
}

interface Stage extends Image {
  name: string;
}

export async function buildImage(): Promise<Image> {
  const directory = mkdtempSync(join(tmpdir(), 'inorder-image-'));
  const stages: Stage[] = [];
  for (const { instruction, rest } of readDockerfile()) {
    const stage = stages.at(-1);
    if (instruction === 'FROM') stages.push(from(rest, stages, join(directory, String(stages.length))));
    else if (stage !== undefined) await carryOut(stage, { instruction, rest }, stages);
  }
  const last = stages.at(-1);
  if (last === undefined) throw new Error('the Dockerfile has no stage');
  return last;
}

function from(rest: string, stages: Stage[], root: string): Stage {
  const [, image = '', name = ''] = /^(\S+)(?: AS (\S+))?$/.exec(rest) ?? [];
  const parent = stages.find((stage) => stage.name === image);
  mkdirSync(root);
  if (parent !== undefined) cpSync(parent.root, root, { recursive: true });
  return {
    name,
    root,
    base: parent?.base ?? image,
    environment: { ...parent?.environment },
    workingDirectory: parent?.workingDirectory ?? '/',
    user: parent?.user ?? 'root',
    entrypoint: [],
    exposed: [],
    healthcheck: [],
  };
}

async function carryOut(stage: Stage, { instruction, rest }: Step, stages: Stage[]): Promise<void> {
  const here = join(stage.root, stage.workingDirectory);
  switch (instruction) {
    case 'WORKDIR':
      stage.workingDirectory = rest;
      mkdirSync(join(stage.root, rest), { recursive: true });
      return;
    case 'ENV': {
      const [, name = '', value = ''] = /^(\w+)=(\S*)$/.exec(rest) ?? [];
      stage.environment[name] = value;
      return;
    }
    case 'RUN':
      // What all of this checkout's packages are is no other than what this checkout has.
      if (/^npm ci(?!.*--omit=dev)/.test(rest)) {
        symlinkSync(resolve('node_modules'), join(here, 'node_modules'));
        return;
      }
      // What was fetched before is taken from npm's own cache: the build is what is looked at, not the network.
      await run('sh', ['-euc', rest], {
        cwd: here,
        env: { PATH: process.env['PATH'], HOME: process.env['HOME'], npm_config_prefer_offline: 'true' },
      });
      return;
    case 'COPY':
      await copy(stage, rest, stages);
      return;
    case 'USER':
      stage.user = rest;
      return;
    case 'EXPOSE':
      stage.exposed = rest.split(' ');
      return;
    case 'ENTRYPOINT':
      stage.entrypoint = JSON.parse(rest) as string[];
      return;
    case 'HEALTHCHECK':
      stage.healthcheck = JSON.parse(rest.slice(rest.indexOf('['))) as string[];
      return;
    case 'CMD':
    case 'STOPSIGNAL':
      return;
    default:
      throw new Error(`the Dockerfile has a step that this test does not know: ${instruction}`);
  }
}

async function copy(stage: Stage, rest: string, stages: Stage[]): Promise<void> {
  const words = rest.split(' ');
  const origin = /^--from=(\S+)$/.exec(words[0] ?? '')?.[1];
  const paths = origin === undefined ? words : words.slice(1);
  const target = paths.pop() ?? '';
  const context = contextNames();
  for (const path of paths) {
    const source =
      origin === undefined ? path : join(stages.find(({ name }) => name === origin)?.root ?? '', path);
    if (origin === undefined && !context.has(path))
      throw new Error(`COPY ${path}: .dockerignore keeps it out`);
    if (!existsSync(source)) throw new Error(`COPY ${path}: there is no such file`);
    const into = join(stage.root, stage.workingDirectory, target);
    const to = target.endsWith('/') ? join(into, basename(path)) : into;
    // Another stage is not changed any more: its files need not be written a second time.
    if (origin === undefined) cpSync(source, to, { recursive: true, verbatimSymlinks: true });
    else await run('cp', ['-a', '--link', source, to]);
  }
}
