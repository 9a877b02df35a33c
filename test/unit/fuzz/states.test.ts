import { test } from 'vitest';
import { states } from '../../fuzz/states/states.ts';
import { assertNoFaults } from '../../fuzz/assert-no-faults.ts';

test('stored states that were damaged are refused by name or read whole', () =>
  assertNoFaults(states, { inputs: 100 }));
