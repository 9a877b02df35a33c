import type { Check } from './check.ts';

/** Paths and hosts that exist on one machine only. A loopback address and a placeholder host are everybody's. */
const FORBIDDEN: { word: RegExp; reason: string }[] = [
  { word: /(?<![\w.])\/(work|home|Users)\/[\w.-]+/, reason: "a path on somebody's machine" },
  { word: /(?<![\w.])\/root\/[\w.-]+/, reason: "a path in somebody's home" },
  {
    word: /\b(10\.\d+|192\.168|172\.(1[6-9]|2\d|3[01]))\.\d+\.\d+:\d+/,
    reason: 'an address in a private net',
  },
  { word: /"resolved": "/, reason: "a registry's address: npm finds the package by name and digest" },
];

export const machinePaths: Check = {
  name: 'no machine paths',
  remedy: 'Use a path relative to the project, an option, or an example host (shop.example).',
  findProblems: (tree) =>
    tree.files
      .filter((file) => !/\.(png|svg|ico|gz|woff2)$|^test\/check\/machine-paths\.ts$/.test(file))
      .flatMap((file) =>
        tree
          .read(file)
          .split('\n')
          .flatMap((line, index) =>
            FORBIDDEN.filter(({ word }) => word.test(line)).map(
              ({ word, reason }) => `${file}:${index + 1}: "${word.exec(line)?.[0]}" is ${reason}`,
            ),
          ),
      ),
};
