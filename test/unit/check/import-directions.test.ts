import { describe, expect, test } from 'vitest';
import { findForbiddenImports, findImports } from '../../check/import-directions.ts';

describe('imports are found', () => {
  test.each([
    ["import { a } from './a.ts';", './a.ts', false],
    ["import type { A } from './a.ts';", './a.ts', true],
    ["import {\n  a,\n  type B,\n} from './a.ts';", './a.ts', false],
    ["export * from './a.ts';", './a.ts', false],
    ["export type { A } from './a.ts';", './a.ts', true],
    ["import './a.ts';", './a.ts', false],
    ["const a = await import('./a.ts');", './a.ts', false],
    ["import fs from 'node:fs';", 'node:fs', false],
  ])('in %j', (text, specifier, isType) => {
    expect(findImports(text)).toEqual([{ specifier, isType }]);
  });
});

describe('a room that may not be entered', () => {
  test.each([
    ['src/ordering/decide.ts', "import { hash } from 'node:crypto';"],
    ['src/ordering/decide.ts', "import { InorderError } from '../errors.ts';"],
    ['src/ordering/decide.ts', "import type { InorderError } from '../errors.ts';"],
    ['workflows/order.ts', "import { openStore } from '../src/store/store.ts';"],
    ['workflows/order.ts', "import { Client } from '@temporalio/client';"],
    ['src/providers/stripe.ts', "import { openStore } from '../store/store.ts';"],
    ['src/dev/sandbox/truth.ts', "import { decide } from '../../ordering/decide.ts';"],
    ['console/page.tsx', "import type { Order } from '../src/store/orders.ts';"],
    ['src/processes/worker.ts', "import { killer } from '../dev/killer.ts';"],
  ])('%s refuses %j', (file, text) => {
    expect(findForbiddenImports(file, text)).toHaveLength(1);
  });

  test.each([
    ['src/ordering/decide.ts', "import { compare } from './version.ts';"],
    ['src/ordering/check/explore.ts', "import { decide } from '../decide.ts';"],
    ['workflows/order.ts', "import type { OrderActivities } from '../activities/order-activities.ts';"],
    ['workflows/order.ts', "import { decide } from '../src/ordering/decide.ts';"],
    ['workflows/order.ts', "import { condition } from '@temporalio/workflow';"],
    ['src/cli/commands/demo.ts', "const { runDemo } = await import('../../dev/demo.ts');"],
    ['src/receiver/accept.ts', "import { insertEvents } from '../store/events.ts';"],
  ])('%s takes %j', (file, text) => {
    expect(findForbiddenImports(file, text)).toEqual([]);
  });
});
