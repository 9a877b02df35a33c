/**
 * The machines a worker decides by, read once each: an entered version never changes while a worker runs. Which
 * version is the newest is asked again every few seconds, so open orders take a new one up soon.
 */
import { InorderError } from '../src/errors.ts';
import type { Machine } from '../src/ordering/machine.ts';
import { selectMachine, selectNewestVersion } from '../src/store/machines.ts';
import type { Queryable } from '../src/store/store.ts';

export interface KnownMachines {
  at(db: Queryable, name: string, version: number): Promise<Machine>;
  newestVersion(db: Queryable, name: string): Promise<number>;
}

const NEWEST_KNOWN_FOR_MS = 5_000;

export function createKnownMachines(): KnownMachines {
  const machines = new Map<string, Machine>();
  const newest = new Map<string, { version: number; until: number }>();
  return {
    async at(db, name, version) {
      const id = `${version}/${name}`;
      const known = machines.get(id) ?? (await selectMachine(db, name, version));
      if (!known) {
        throw new InorderError(
          'machine_invalid',
          `The store has no machine "${name}"; a worker whose config has it enters it at its start.`,
        );
      }
      machines.set(id, known);
      return known;
    },
    async newestVersion(db, name) {
      const cached = newest.get(name);
      if (cached && cached.until > Date.now()) return cached.version;
      const version = await selectNewestVersion(db, name);
      newest.set(name, { version, until: Date.now() + NEWEST_KNOWN_FOR_MS });
      return version;
    },
  };
}
