/** `inorder init`: from three answers to a folder that `inorder dev` runs as it is. */
import { resolve } from 'node:path';
import { completeAnswers } from './answers.ts';
import type { Ask, GivenAnswers } from './answers.ts';
import { findPackage } from './find-package.ts';
import { nextSteps } from './next-steps.ts';
import type { NextSteps } from './next-steps.ts';
import { projectFiles } from './project-files.ts';
import { fillTemplates } from './templates.ts';
import { writeFiles } from './write-files.ts';
import type { WrittenFile } from './write-files.ts';

export interface InitOptions {
  directory: string;
  given: GivenAnswers;
  /** null: there is nobody to ask. */
  ask: Ask | null;
  force: boolean;
  publicUrl: string | null;
  nowMs: number;
}

export interface Initialised {
  directory: string;
  files: WrittenFile[];
  next: NextSteps;
}

export async function init(options: InitOptions): Promise<Initialised> {
  const { given, ask, force, publicUrl, nowMs } = options;
  const directory = resolve(options.directory);
  const answers = await completeAnswers(given, ask);
  const templates = await fillTemplates(answers, nowMs);
  const found = findPackage(directory);
  const files = writeFiles(directory, projectFiles(directory, { answers, templates, found }), force);
  const { definition } = templates;
  return {
    directory,
    files,
    next: nextSteps({ directory, answers, definition, found, written: files, publicUrl }),
  };
}
