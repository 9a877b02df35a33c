import type { Tree } from '../../check/check.ts';

/** A tree that holds just these files. */
export function treeOf(texts: Record<string, string>): Tree {
  return { files: Object.keys(texts).sort(), read: (file) => texts[file] ?? '' };
}
