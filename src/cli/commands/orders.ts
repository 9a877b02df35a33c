import type { Command } from 'commander';
export function addOrders(program: Command): void {
  program.command('orders');
}
