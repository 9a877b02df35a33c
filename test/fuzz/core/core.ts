/** The part of the core: whatever table it is given and whatever comes, it decides; and a table that is none is refused. */
import fc from 'fast-check';
import { openAtOnce } from '../part.ts';
import type { Part } from '../part.ts';
import { definitions, findDefinitionFaults } from './definitions.ts';
import type { DefinitionInput } from './definitions.ts';
import { orders, playOrder } from './orders.ts';
import type { OrderInput } from './orders.ts';

type Input = { order: OrderInput } | { definition: DefinitionInput };

export const core: Part<Input> = {
  name: 'core',
  inputs: fc.oneof(
    { weight: 3, arbitrary: orders.map((order) => ({ order })) },
    definitions.map((definition) => ({ definition })),
  ),
  perRound: 2_000,
  open: openAtOnce((input) =>
    'order' in input ? playOrder(input.order).faults : findDefinitionFaults(input.definition),
  ),
};
