import { test } from 'vitest';
import { core } from '../../fuzz/core/core.ts';
import { assertNoFaults } from '../../fuzz/assert-no-faults.ts';

test('the core decides whatever table and news it is given, and refuses by name what is no table', () =>
  assertNoFaults(core, { inputs: 120 }));
