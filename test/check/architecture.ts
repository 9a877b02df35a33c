import { posix } from 'node:path';
import type { Check } from './check.ts';

const PAGE = 'ARCHITECTURE.md';
const ROOMS = /^(src|workflows|activities)\/.*\.(ts|tsx)$/;
/** Where names in backquotes may begin. A heading that names a folder is the place of the short names below it. */
const TOP = /^(src|workflows|activities|console|machines|bench|test|docs|bin)\//;

export const architecture: Check = {
  name: 'ARCHITECTURE.md',
  remedy: `Every file of src, workflows and activities has its place in ${PAGE} (a mention of its folder is not enough), and every place its file.`,
  findProblems: (tree) =>
    tree.files.includes(PAGE) ? compareToTree(tree.read(PAGE), tree.files) : [`${PAGE} is not there`],
};

export function compareToTree(page: string, files: string[]): string[] {
  const names = namesIn(page).map((name) => ({ name, matches: matcher(name) }));
  const gone = names
    .filter(({ matches }) => !files.some((file) => matches(file)))
    .map(({ name }) => `${PAGE} names ${name}, which is not there`);
  const places = names.filter(({ name }) => !name.endsWith('/'));
  const unnamed = files
    .filter((file) => ROOMS.test(file) && !places.some(({ matches }) => matches(file)))
    .map((file) => `${file} is not named in ${PAGE}`);
  return [...gone, ...unnamed];
}

/** Paths from the project's root; `*` stands for any name, a slash at the end for a folder. */
function namesIn(page: string): string[] {
  let folder = '';
  const names = new Set<string>();
  for (const line of page.split('\n')) {
    const quoted = [...line.matchAll(/`([\w./*-]+)`/g)].flatMap((match) => match[1] ?? []);
    if (line.startsWith('#')) folder = quoted.find((name) => name.endsWith('/')) ?? '';
    for (const name of quoted) {
      if (TOP.test(name)) names.add(name);
      else if (folder !== '' && /\.(ts|tsx|sql)$/.test(name)) names.add(posix.join(folder, name));
    }
  }
  return [...names];
}

function matcher(name: string): (file: string) => boolean {
  if (name.endsWith('/')) return (file) => file.startsWith(name);
  const pattern = name.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  const whole = new RegExp(`^${pattern.join('[^/]*')}$`);
  return (file) => whole.test(file);
}
