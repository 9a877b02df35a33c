import { describe, expect, it } from 'vitest';
import { checkConfig } from '../../../src/config/check.ts';
import type { Provider, SettingsProblem } from '../../../src/providers/provider.ts';
import { sandbox } from '../../../src/providers/sandbox.ts';

class Courier implements Provider {
  name = 'courier';
  version = 3;
  contract = 'monotonic' as const;
  types = { delivered: 'order.delivered' };
  readonly #found: SettingsProblem[];

  constructor(found: SettingsProblem[] = []) {
    this.#found = found;
  }

  verify = sandbox.verify;
  parse = sandbox.parse;
  problems(): SettingsProblem[] {
    return this.#found;
  }
}

const machine = {
  name: 'order',
  version: 1,
  initial: 'new',
  statuses: { new: {}, delivered: {} },
  effects: {},
  on: { 'order.delivered': { new: 'delivered', else: { ignore: 'again' } } },
};
const check = (provider: unknown) =>
  checkConfig(
    {
      machines: [machine],
      effects: {},
      sources: {
        courier: {
          provider,
          environment: 'live',
          machine: 'order',
          unknownTypes: 'archive',
          secrets: [{ id: 'a', value: 'x' }],
        },
      },
    },
    '/test/inorder.config.ts',
    {},
  );

describe("a team's own adapter", () => {
  it('stands in the configuration as an object, which may be an instance of a class', () => {
    const courier = new Courier();
    const checked = check(courier);
    if ('problems' in checked) throw new Error(checked.problems.join('\n'));
    expect(checked.config.sources.get('courier')).toMatchObject({ provider: courier, contract: 'monotonic' });
  });

  it('says itself what of its settings cannot work', () => {
    const checked = check(new Courier([{ path: ['paths', 'order'], message: 'is missing' }]));
    expect(checked).toEqual({ problems: ['sources.courier.paths.order: is missing'] });
  });

  it.each([{}, null, 7, { ...sandbox, parse: undefined }, { ...sandbox, contract: 'ordered' }])(
    'is refused when it is none: %#',
    (provider) => {
      expect(check(provider)).toEqual({
        problems: [
          expect.stringMatching(
            /^sources\.courier\.provider: must name an adapter, such as 'sandbox', or be one: /,
          ),
        ],
      });
    },
  );
});
