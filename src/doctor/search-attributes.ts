/** Whether the namespace has the search attributes that an order's workflow sets; without them its task fails. */
import { findSearchAttributeProblems } from '../temporal/search-attributes.ts';
import { fail, ok } from './check.ts';
import type { Check } from './check.ts';

export const searchAttributes: Check = {
  name: 'search attributes',
  needs: ['environment', 'temporal'],
  async look({ temporal, environment: { temporalNamespace: namespace } }) {
    const { missing, mistyped } = await findSearchAttributeProblems(temporal, namespace);
    const found = [
      ...mistyped.map(({ name, type }) =>
        fail(
          `${name} is not of the type ${type}`,
          `temporal operator search-attribute remove --namespace ${namespace} --name ${name}, then start a worker`,
        ),
      ),
      ...missing.map(({ name, type }) =>
        fail(
          `${name} is not registered`,
          `start a worker, which registers it, or: temporal operator search-attribute create --namespace ${namespace} --name ${name} --type ${type}`,
        ),
      ),
    ];
    return found.length > 0 ? found : [ok('all are registered')];
  },
};
