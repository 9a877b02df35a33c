/** The name an order's workflow goes by in Temporal: `<machine>/<environment>/<order id>`. */
import { joinKeyParts } from '../key-parts.ts';
import type { OrderKey } from '../ordering/state.ts';

export const workflowIdOf = (key: OrderKey): string => joinKeyParts([key.machine, key.environment, key.id]);
