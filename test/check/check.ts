/** What every check is: a name, and a function that returns what is wrong, one line each, with what to do about it. */
export interface Check {
  name: string;
  /** What the check protects or how to mend it, shown once under the problems. */
  remedy: string;
  findProblems(tree: Tree): Promise<string[]> | string[];
}

/** The project's files as git sees them: committed or new, ignored ones left out. */
export interface Tree {
  /** Relative to the project's root, with slashes, sorted. */
  files: string[];
  read(file: string): string;
}
