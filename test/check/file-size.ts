import { statSync } from 'node:fs';
import type { Check } from './check.ts';

/** For what lint does not read; there max-lines is the same. */
const MAX_LINES = 400;
const MAX_BYTES = 1_000_000;
/** Written by a tool, read by a tool; and the page that has a line for each file, which grows with the house. */
const ANY_SIZE = /^(package-lock\.json|ARCHITECTURE\.md|docs\/requirements\.md|test\/replay\/histories\/.*)$/;

export const fileSize: Check = {
  name: 'file size',
  remedy: `Split by what the parts own, not into "part 2"; at most ${MAX_LINES} lines of code or prose a file.`,
  findProblems: (tree) =>
    tree.files
      .filter((file) => !ANY_SIZE.test(file))
      .flatMap((file) => {
        const { size } = statSync(file);
        if (size > MAX_BYTES) return [`${file} has ${size} bytes, more than ${MAX_BYTES}`];
        const isText = /\.(css|html|sql|md|sh)$|^\.ci\//.test(file);
        const lines = isText ? tree.read(file).split('\n').length - 1 : 0;
        return lines > MAX_LINES ? [`${file} has ${lines} lines`] : [];
      }),
};
