import type { Command } from 'commander';
import { addEffectsList } from './effects-list.ts';
import { addEffectsShow } from './effects-show.ts';
import { addEffectsVerbs } from './effects-verbs.ts';

export function addEffects(program: Command): void {
  const effects = program
    .command('effects')
    .description('Shows effects and their ends, and takes what a person decides about them.');
  addEffectsShow(effects);
  addEffectsList(effects);
  addEffectsVerbs(effects);
}
