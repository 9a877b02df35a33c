import { expect, test } from 'vitest';
import type { Config } from '../../../src/config/resolved.ts';
import { unsaidTypes } from '../../../src/config/unsaid-types.ts';
import { neutralTypes } from '../../../src/providers/neutral-types.ts';

const ON = { 'order.created': {}, 'order.packed': {}, 'order.expired_twice': {} };

function config(types: Record<string, unknown>, machineOfSource = 'order'): Config {
  const statuses = { new: { effects: [], deadline: { type: 'order.expired_twice' } } };
  const shop = { name: 'shop', machine: machineOfSource, types, provider: { types: neutralTypes() } };
  return {
    machines: new Map([['order', { machine: { name: 'order', on: ON, statuses } }]]),
    sources: new Map([['shop', shop]]),
  } as unknown as Config;
}

test('a word of the table that no source says is told of, with what to write; deadlines say their own', () => {
  const note =
    "machine 'order' has a row for 'order.packed', and no source says that: name it under 'types' of the source " +
    "that does, as { 'order.packed': 'order.packed' }.";
  expect(unsaidTypes(config({}))).toEqual([note]);
  expect(unsaidTypes(config({ 'order.packed': 'order.packed' }, 'basket'))).toEqual([note]);
});

test('a word that a source says by map or by function is none', () => {
  expect(unsaidTypes(config({ packed: 'order.packed', other: null }))).toEqual([]);
  expect(unsaidTypes(config({ any: () => 'order.packed' }))).toEqual([]);
});

test('a word that no row takes is told of with the nearest one', () => {
  expect(unsaidTypes(config({ packed: 'order.packd', any: () => null }))).toEqual([
    "sources.shop.types: machine 'order' has no row for 'order.packd', so its events change nothing. Did you mean 'order.packed'?",
  ]);
});
