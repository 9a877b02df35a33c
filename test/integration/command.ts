/** The command as an operator has it, from the package that this run has built. */
import { join } from 'node:path';
import { inject } from 'vitest';

export const installedPackage = (): string => inject('installedPackage');
export const commandFile = (): string => join(installedPackage(), 'bin/inorder.js');
