/** Whether Temporal answers for our namespace. */
import { describeNamespace } from '../temporal/describe.ts';
import { fail, ok } from './check.ts';
import type { Check } from './check.ts';

export const temporal: Check = {
  name: 'temporal',
  needs: ['environment'],
  async look({ temporal: connection, environment }) {
    const where = `${environment.temporalAddress}, namespace ${environment.temporalNamespace}`;
    const found = await describeNamespace(connection, environment.temporalNamespace).catch(
      (error: unknown) => ({
        problem: reasonOf(error),
      }),
    );
    return 'problem' in found
      ? [
          fail(
            `${where}: ${found.problem}`,
            'start it or mend TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE; meanwhile webhooks are stored and wait',
          ),
        ]
      : [ok(where)];
  },
};

function reasonOf(error: unknown): string {
  const told = error as { details?: unknown; message?: unknown };
  const text =
    typeof told.details === 'string' && told.details !== '' ? told.details : String(told.message ?? error);
  return (
    /Last error: (?:Error: )?(.*?)\.? Resolution note/.exec(text)?.[1] ??
    text.split('\n')[0] ??
    ''
  ).slice(0, 200);
}
