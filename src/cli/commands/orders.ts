import type { Command } from 'commander';
import { addOrdersList } from './orders-list.ts';
import { addOrdersReconcile } from './orders-reconcile.ts';
import { addOrdersResolve } from './orders-resolve.ts';
import { addOrdersShow } from './orders-show.ts';

export function addOrders(program: Command): void {
  const orders = program
    .command('orders')
    .description('Shows orders (status, what they wait for, their story) and takes what a person decides.');
  addOrdersShow(orders);
  addOrdersList(orders);
  addOrdersResolve(orders);
  addOrdersReconcile(orders);
}
