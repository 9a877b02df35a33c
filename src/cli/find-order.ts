import { InorderError } from '../errors.ts';
import { listEvents } from '../operations/list-events.ts';
import { listOrders } from '../operations/list-orders.ts';
import type { OrderKey } from '../ordering/state.ts';
import { selectOrdersInOtherCase } from '../store/known-names.ts';
import type { Queryable } from '../store/store.ts';

const MAX_NAMED = 10;

/** The order that a person means by its id, or by `machine/environment/id` where an id alone stands for several. */
export async function findOrder(db: Queryable, text: string): Promise<OrderKey> {
  const key = wholeKey(text);
  const named = key === null ? [] : await ordersWith(db, { ...key, order: key.id });
  const found = named.length > 0 ? named : await ordersWith(db, { order: text });
  const [first, ...others] = found;
  if (first === undefined) throw await unknown(db, text, key);
  if (others.length === 0) return first;
  throw new InorderError('usage', `'${text}' stands for several orders; name one of them:\n${listed(found)}`);
}

function wholeKey(text: string): OrderKey | null {
  const [, machine = '', environment = '', id = ''] = /^([^/]+)\/([^/]+)\/(.+)$/s.exec(text) ?? [];
  return id === '' ? null : { machine, environment, id };
}

interface Named {
  machine?: string;
  environment?: string;
  order: string;
}
const ordersWith = async (db: Queryable, { machine, environment, order }: Named): Promise<OrderKey[]> => {
  const where = {
    ...(machine === undefined ? {} : { machine }),
    ...(environment === undefined ? {} : { environment }),
  };
  const { items } = await listOrders(db, { ...where, order, limit: MAX_NAMED });
  return items.map((item) => ({ machine: item.machine, environment: item.environment, id: item.id }));
};

const listed = (keys: OrderKey[]): string => keys.map((key) => `  ${nameOf(key)}`).join('\n');
const nameOf = ({ machine, environment, id }: OrderKey): string => `${machine}/${environment}/${id}`;

/** Tells apart: the same id elsewhere, an id in other capitals, events without a decision yet, and nothing at all. */
async function unknown(db: Queryable, text: string, key: OrderKey | null): Promise<InorderError> {
  const elsewhere = key === null ? [] : await ordersWith(db, { order: key.id });
  if (elsewhere.length > 0) {
    const what = elsewhere.map(nameOf).join(', ');
    return new InorderError('order_unknown', `There is no order '${text}'; there is ${what}.`);
  }
  const similar = await selectOrdersInOtherCase(db, key?.id ?? text);
  if (similar.length > 0) {
    const what = similar.slice(0, MAX_NAMED).map((one) => (key === null ? one.id : nameOf(one)));
    const meant = [...new Set(what)].map((one) => `'${one}'`).join(' or ');
    return new InorderError('order_unknown', `There is no order '${text}'. Did you mean ${meant}?`);
  }
  const filters = [
    { order: text },
    ...(key === null ? [] : [{ machine: key.machine, environment: key.environment, order: key.id }]),
  ];
  for (const filter of filters) {
    const stored = await listEvents(db, { ...filter, limit: 1 });
    if (stored.items.length > 0) {
      const where = `'inorder events list --order ${filter.order}' shows them`;
      const isWaited = (await listEvents(db, { ...filter, outcome: 'waiting', limit: 1 })).items.length > 0;
      return new InorderError(
        'order_unknown',
        isWaited
          ? `Nothing was decided about '${text}' yet, but events of it are stored. ${where}; is a worker running?`
          : `Nothing was ever decided about '${text}': all events of it are kept apart. ${where}, each with why.`,
      );
    }
  }
  return new InorderError(
    'order_unknown',
    `There is no order '${text}'. 'inorder orders list' shows the latest, 'inorder events list --order …' what came.`,
  );
}
