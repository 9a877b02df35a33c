/** Whether the machines of this configuration are those that orders are decided by. */
import { findEnteredDigest, selectNewestVersion } from '../store/machines.ts';
import { fail, ok, warn } from './check.ts';
import type { Check } from './check.ts';

export const machines: Check = {
  name: 'machines',
  needs: ['environment', 'configuration', 'tables'],
  look: ({ store, config }) =>
    Promise.all(
      [...config.machines.values()].map(async ({ machine, digest }) => {
        const entered = await findEnteredDigest(store, machine);
        const version = `version ${machine.version}`;
        const newest = await selectNewestVersion(store, machine.name);
        if (newest > machine.version)
          return warn(
            `orders are decided by version ${newest}, not by this configuration's ${version}`,
            'deploy the newer table; to go back to this one, give it a higher version',
            machine.name,
          );
        if (entered === digest) return ok(`${version} is entered`, machine.name);
        return entered === null
          ? warn(`${version} is not entered yet`, 'start a worker with this configuration', machine.name)
          : fail(
              `${version} was entered with other contents, so no worker starts`,
              'give the changed table a new version',
              machine.name,
            );
      }),
    ),
};
