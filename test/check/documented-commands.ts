/** Commands that a page tells a reader to type exist, with the options it shows. */
import type { Command } from 'commander';
import { createProgram } from '../../src/cli/program.ts';
import type { Check } from './check.ts';

export const documentedCommands: Check = {
  name: "docs' commands",
  remedy: 'Correct the page, or give the command what the page promises.',
  findProblems(tree) {
    const { scripts } = JSON.parse(tree.read('package.json')) as { scripts: Record<string, string> };
    return tree.files
      .filter((file) => /^(docs\/.*|[A-Z]+)\.md$/.test(file) && file !== 'CHANGELOG.md')
      .flatMap((file) =>
        commandsIn(tree.read(file)).flatMap((line) => {
          const problem = findWrongCommand(line, Object.keys(scripts));
          return problem === null ? [] : [`${file}: \`${line}\`: ${problem}`];
        }),
      );
  },
};

/** What stands in code spans and code blocks and begins as a command of ours does. */
export function commandsIn(page: string): string[] {
  const blocks = [...page.matchAll(/^```(?:sh|bash|console|text)?\n([\s\S]*?)^```/gm)].flatMap(
    ([, block = '']) => block.split('\n'),
  );
  const spans = [...page.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].flatMap(
    ([, span = '']) => [span],
  );
  return [...blocks, ...spans]
    .flatMap((line) => line.replace(/^\s*\$\s+/, '').split(/\s*(?:&&|\|\||;|\|)\s*/))
    .map((line) => line.replace(/\s#.*$/, '').trim())
    .filter((line) => /^(inorder|npm run|npx inorder)\s+\S/.test(line));
}

/** What is wrong with a line that a reader would type; null if nothing is. */
export function findWrongCommand(line: string, scripts: string[]): string | null {
  const program = createProgram();
  const words = line.split(/\s+/);
  if (words[0] === 'npm') {
    const script = words[2] ?? '';
    if (!scripts.includes(script)) return `package.json has no script ${script}`;
    if (!program.commands.some((command) => command.name() === script)) return null;
    return findWrongWord(
      words.slice(2).filter((word) => word !== '--'),
      program,
    );
  }
  return findWrongWord(words.slice(words[0] === 'npx' ? 2 : 1), program);
}

function findWrongWord(words: string[], program: Command): string | null {
  let command = program;
  for (const [index, word] of words.entries()) {
    if (word.startsWith('--')) {
      const name = word.replace(/=.*$/, '');
      const known = [...command.options, ...program.options].some((option) => option.long === name);
      if (!known && name !== '--help') return `${command.name()} has no option ${name}`;
      continue;
    }
    const next = command.commands.find((candidate) => candidate.name() === word);
    if (next !== undefined) command = next;
    else if (command.commands.length > 0 && /^[a-z]/.test(word) && !isValue(words, index)) {
      return `${command.name()} has no command ${word}`;
    }
  }
  return null;
}

function isValue(words: string[], index: number): boolean {
  return words[index - 1]?.startsWith('--') === true;
}
