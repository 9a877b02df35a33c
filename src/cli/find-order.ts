import { InorderError } from '../errors.ts';
import { listEvents } from '../operations/list-events.ts';
import { listOrders } from '../operations/list-orders.ts';
import type { OrderKey } from '../ordering/state.ts';
import type { Queryable } from '../store/store.ts';

const MAX_NAMED = 10;

/** The order that a person means by its id, or by `machine/environment/id` where an id alone stands for several. */
export async function findOrder(db: Queryable, text: string): Promise<OrderKey> {
  const [, machine = '', environment = '', id = ''] = /^([^/]+)\/([^/]+)\/(.+)$/s.exec(text) ?? [];
  const named = id === '' ? [] : (await listOrders(db, { machine, environment, order: id, limit: 1 })).items;
  const found = named.length > 0 ? named : (await listOrders(db, { order: text, limit: MAX_NAMED })).items;
  const [first, ...others] = found.map((order) => ({
    machine: order.machine,
    environment: order.environment,
    id: order.id,
  }));
  if (first === undefined) throw await unknown(db, text, id);
  if (others.length === 0) return first;
  const keys = [first, ...others].map((key) => `  ${key.machine}/${key.environment}/${key.id}`);
  throw new InorderError(
    'usage',
    `'${text}' stands for several orders; name one of them:\n${keys.join('\n')}`,
  );
}

/** Says so when events of it are stored and only their workflow is missing. */
async function unknown(db: Queryable, text: string, id: string): Promise<InorderError> {
  for (const order of [text, id].filter((candidate) => candidate !== '')) {
    const stored = await listEvents(db, { order, limit: 1 });
    if (stored.items.length > 0) {
      return new InorderError(
        'order_unknown',
        `Nothing was decided about '${order}' yet, but events of it are stored. ` +
          `'inorder events list --order ${order}' shows them; is a worker running?`,
      );
    }
  }
  return new InorderError(
    'order_unknown',
    `There is no order '${text}'. 'inorder orders list' shows the latest, 'inorder events list --order …' what came.`,
  );
}
