import { test } from 'vitest';
import { adapters } from '../../fuzz/adapters/adapters.ts';
import { assertNoFaults } from '../../fuzz/assert-no-faults.ts';

test('adapters, fed with changed vectors and bodies, accept no forgery and never throw', () =>
  assertNoFaults(adapters, { inputs: 400 }));
