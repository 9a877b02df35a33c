/** How many orders wait for a person. */
import { countOrdersInNeed } from '../store/order-listing.ts';
import { ok, warn } from './check.ts';
import type { Check } from './check.ts';

export const attention: Check = {
  name: 'attention',
  needs: ['environment', 'tables'],
  async look({ store }) {
    const orders = await countOrdersInNeed(store);
    return orders === 0
      ? [ok('no order waits for a person')]
      : [
          warn(
            `${orders} ${orders === 1 ? 'order waits' : 'orders wait'} for a person`,
            '`inorder orders list --attention`, then `inorder orders show` with the id: it says what settles it',
          ),
        ];
  },
};
