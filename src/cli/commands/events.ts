import type { Command } from 'commander';
export function addEvents(program: Command): void {
  program.command('events');
}
