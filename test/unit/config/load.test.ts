import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { showConfig } from '../../../src/config/show.ts';

const folder = mkdtempSync(join(tmpdir(), 'inorder-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

const MACHINE = `
import { defineMachine, ignore } from 'inorder';
const STATUS: string = 'paid';
export const order = defineMachine({
  name: 'order', version: 1, initial: 'new',
  statuses: { new: {}, paid: { effects: ['fulfil'] } },
  effects: { fulfil: { once: 'order', whenPassed: 'run' } },
  on: { 'payment.captured': { new: 'paid', else: ignore('captured before') } },
});`;

interface Parts {
  source?: string;
  sources?: string;
  effects?: string;
  rest?: string;
  machines?: string;
}

/** A configuration in a folder of its own, far from any project, as one TypeScript file beside its machine. */
function write({ source = '', sources = '', effects, rest = '', machines = 'order' }: Parts = {}): string {
  const own = mkdtempSync(join(folder, 'case-'));
  writeFileSync(join(own, 'machine.ts'), MACHINE);
  writeFileSync(
    join(own, 'inorder.config.ts'),
    `import { defineConfig, env, http } from 'inorder';
     import { order } from './machine.ts';
     interface Unused { of: string }
     export default defineConfig({
       machines: [${machines}],
       sources: {
         shop: {
           provider: 'sandbox', environment: 'live', machine: 'order', unknownTypes: 'reject',
           secrets: [{ id: 'a', value: env('SHOP_SECRET') }],
           ${source}
         },
         ${sources}
       },
       effects: { ${effects ?? "fulfil: http({ url: 'https://shop.example/hooks', secret: env('HOOK_SECRET') })"} },
       ${rest}
     });`,
  );
  return join(own, 'inorder.config.ts');
}

const VARIABLES = { SHOP_SECRET: 'one', HOOK_SECRET: 'two' };

async function refusal(file: string, variables: Record<string, string> = VARIABLES): Promise<string> {
  try {
    await loadConfig(file, variables);
  } catch (error) {
    return (error as Error).message;
  }
  return 'not refused';
}

describe('a configuration file', () => {
  it('is loaded as TypeScript from any folder, with the defaults of its provider', async () => {
    const config = await loadConfig(write({ source: "apiBase: 'https://api.example/v1/'," }), VARIABLES);
    expect(config.sources.get('shop')).toMatchObject({
      name: 'shop',
      environment: 'live',
      machine: 'order',
      secrets: [{ id: 'a', value: 'one', untilMs: null }],
      contract: 'sequence',
      maxBytes: 1_048_576,
      settings: { toleranceMs: 300_000 },
      api: { base: 'https://api.example/v1', key: null, perSecond: 10, timeoutMs: 10_000 },
      policy: {
        contract: 'sequence',
        api: true,
        find: true,
        first: '1',
        gapTimeoutMs: 30_000,
        lagWindowMs: 60_000,
        askDeadlineMs: 86_400_000,
        effects: 'run',
      },
    });
    expect(config.effects.get('fulfil')).toMatchObject({
      kind: 'http',
      secret: 'two',
      timeoutMs: 10_000,
      keyTtlMs: 0,
      retry: { maxAttempts: 20, firstDelayMs: 1_000, maxDelayMs: 3_600_000 },
    });
    expect(config).toMatchObject({
      redeliverAfterMs: 60_000,
      closeAfterMs: 604_800_000,
      maxEventsPerRun: 5_000,
    });
  });

  it('without an API of the provider never asks and never searches', async () => {
    const config = await loadConfig(write(), VARIABLES);
    expect(config.sources.get('shop')?.policy).toMatchObject({ api: false, find: false });
    expect(config.sources.get('shop')?.api).toBeNull();
  });

  it('takes any first version where another contract than its sequence is stated', async () => {
    const config = await loadConfig(write({ source: "contract: 'monotonic'," }), VARIABLES);
    expect(config.sources.get('shop')?.policy).toMatchObject({ contract: 'monotonic', first: 'any' });
  });

  it('gives a machine the same digest however its keys are ordered, and another when a cell changes', async () => {
    const digestOf = async (machine: string): Promise<string | undefined> =>
      (await loadConfig(write({ machines: machine }), VARIABLES)).machines.get('order')?.digest;
    const original = await digestOf('order');
    expect(await digestOf('Object.fromEntries(Object.entries(order).reverse())')).toBe(original);
    expect(await digestOf("{ ...order, unlisted: 'ask' }")).not.toBe(original);
  });

  it('takes functions as effects and as type mappings', async () => {
    const config = await loadConfig(
      write({
        source: "types: { 'a.b': null, 'c.d': 'payment.captured', 'e.f': () => null },",
        effects: "fulfil: { run: async () => undefined, keyTtl: '24h' }",
      }),
      VARIABLES,
    );
    expect(config.effects.get('fulfil')).toMatchObject({ kind: 'function', keyTtlMs: 86_400_000 });
    expect(Object.keys(config.sources.get('shop')?.types ?? {})).toEqual(['a.b', 'c.d', 'e.f']);
  });

  it('leaves out a secret whose optional variable is not set', async () => {
    const source =
      "secrets: [{ id: 'a', value: env('SHOP_SECRET') }, { id: 'b', value: env('OLD', { optional: true }) }],";
    const ids = async (variables: Record<string, string>): Promise<string[] | undefined> =>
      (await loadConfig(write({ source }), variables)).sources.get('shop')?.secrets.map(({ id }) => id);
    expect(await ids(VARIABLES)).toEqual(['a']);
    expect(await ids({ ...VARIABLES, OLD: 'x' })).toEqual(['a', 'b']);
  });

  it('reads a secret from a file and leaves its trailing line break away', async () => {
    const secret = join(folder, 'shop-secret');
    writeFileSync(secret, 'from a file\n');
    const config = await loadConfig(write(), { HOOK_SECRET: 'two\n', SHOP_SECRET_FILE: secret });
    expect(config.sources.get('shop')?.secrets[0]?.value).toBe('from a file');
    expect(config.effects.get('fulfil')).toHaveProperty('secret', 'two');
  });
});

describe('a wrong value stops the start and is named with its path', () => {
  const cases: [title: string, parts: Parts, message: string][] = [
    [
      'a duration without a unit',
      { source: "tolerance: '5'," },
      "sources.shop.tolerance: must be a duration such as '500ms', '30s' or '5m', at most 400d; it is '5'",
    ],
    ['a duration as a number', { source: 'gapTimeout: 30,' }, 'sources.shop.gapTimeout: must be a duration'],
    [
      'a mistyped key of a source',
      { source: "tolerence: '5m'," },
      "sources.shop.tolerence: is not known here. Did you mean 'tolerance'?",
    ],
    ['a mistyped key at the top', { rest: "redeliver: '1m'," }, 'redeliver: is not known here.'],
    [
      'a mistyped choice',
      { source: "unknownTypes: 'rejct'," },
      "sources.shop.unknownTypes: must be 'reject' or 'archive'; it is 'rejct'",
    ],
    [
      'no choice for unknown types',
      { source: 'unknownTypes: undefined,' },
      "sources.shop.unknownTypes: is missing; it must be 'reject' or 'archive'",
    ],
    ['no environment', { source: 'environment: undefined,' }, 'sources.shop.environment: is missing'],
    [
      'no secrets',
      { source: 'secrets: undefined,' },
      'sources.shop.secrets: is missing; it must be a list of { id, value }',
    ],
    ['an empty list of secrets', { source: 'secrets: [],' }, 'sources.shop.secrets: none has a value'],
    [
      'two secrets of one id',
      { source: "secrets: [{ id: 'a', value: 'x' }, { id: 'a', value: 'y' }]," },
      "sources.shop.secrets[1].id: 'a' is used twice",
    ],
    [
      'an instant without a zone',
      { source: "secrets: [{ id: 'a', value: 'x', until: '2026-12-01T00:00:00' }]," },
      'sources.shop.secrets[0].until: must be an instant with a zone',
    ],
    [
      'an instant that is none',
      { source: "secrets: [{ id: 'a', value: 'x', until: '2026-13-01T00:00:00Z' }]," },
      'sources.shop.secrets[0].until: must be an instant',
    ],
    [
      'an unknown provider',
      { source: "provider: 'sandbx'," },
      "sources.shop.provider: there is no adapter 'sandbx'. Did you mean 'sandbox'?",
    ],
    [
      'an unknown machine',
      { source: "machine: 'ordr'," },
      "sources.shop.machine: 'ordr' is none of the machines. Did you mean 'order'?",
    ],
    [
      'a size beyond all use',
      { source: 'maxBytes: 0,' },
      'sources.shop.maxBytes: must be a whole number from 1 to 67108864; it is 0',
    ],
    [
      'an address that is none',
      { source: "apiBase: 'api.example'," },
      "sources.shop.apiBase: must be an http or https URL without login and query, of at most 2,048 bytes; it is 'api.example'",
    ],
    ['a key without an API', { source: "apiKey: 'k'," }, "sources.shop.apiKey: has no use without 'apiBase'"],
    [
      'an address with a login, which is not shown',
      { source: "apiBase: 'https://login:pass@api.example'," },
      'sources.shop.apiBase: must be an http or https URL without login and query, of at most 2,048 bytes; it is not shown',
    ],
    [
      'a time limit without end',
      { effects: "fulfil: { run: async () => undefined, timeout: '30d' }" },
      "effects.fulfil.timeout: must be a duration such as '500ms', '30s' or '5m', at most 10m; it is '30d'",
    ],
    [
      'a key that no header can carry',
      { source: "apiBase: 'https://a', apiKey: 'k\\u00e9y'," },
      'sources.shop.apiKey: must be made of printable ASCII characters',
    ],
    [
      'a type mapping to a number',
      { source: "types: { 'a.b': 1 }," },
      "sources.shop.types['a.b']: must be a type of the table, null (known, not wanted)",
    ],
    [
      'a source name that no address can carry',
      {
        sources:
          "'My Shop': { provider: 'sandbox', environment: 'live', machine: 'order', unknownTypes: 'reject', secrets: [{ id: 'a', value: 'x' }] },",
      },
      "sources['My Shop']: a source's name is part of its URL",
    ],
    [
      'the name of inorder itself',
      {
        sources:
          "inorder: { provider: 'sandbox', environment: 'live', machine: 'order', unknownTypes: 'reject', secrets: [{ id: 'a', value: 'x' }] },",
      },
      "sources.inorder: 'inorder' is the name of what inorder itself does",
    ],
    [
      'an effect that only the machine has',
      { effects: 'fulfill: { run: async () => undefined }' },
      "effects.fulfil: machine 'order' asks for it and no handler is here. Did you mean 'fulfill'?",
    ],
    [
      'an effect that only the configuration has',
      { effects: 'fulfil: { run: async () => undefined }, refund: { run: async () => undefined }' },
      'effects.refund: no machine has an effect of this name.',
    ],
    [
      'an effect that does nothing',
      { effects: 'fulfil: {}' },
      'effects.fulfil.run: is missing; it must be a function',
    ],
    [
      'an effect of no kind',
      { effects: "fulfil: { kind: 'htpp' }" },
      'effects.fulfil.kind: must be http({ url, secret }) or { run',
    ],
    [
      'an effect without a secret',
      { effects: "fulfil: http({ url: 'https://a' })" },
      'effects.fulfil.secret: is missing',
    ],
    [
      'delays in the wrong order',
      { effects: "fulfil: { run: async () => undefined, retry: { firstDelay: '1h', maxDelay: '1s' } }" },
      'effects.fulfil.retry.maxDelay: is shorter than firstDelay',
    ],
    [
      'an effect signed with half of a key pair',
      { effects: "fulfil: http({ url: 'https://shop.example', secret: 'whpk_c2VjcmV0' })" },
      "effects.fulfil.secret: holds no key to sign with; take a shared secret, 'whsec_' and base64",
    ],
    [
      'a problem inside a machine',
      { machines: "{ ...order, initial: 'nwe' }" },
      "machines[0]: initial: 'nwe' is not a status. Did you mean 'new'?",
    ],
    [
      'two machines of one name',
      { machines: 'order, order' },
      "machines[1]: a second machine is called 'order'",
    ],
    ['no machine', { machines: '' }, 'machines: is empty'],
    [
      'a variable of inorder used as a secret',
      { source: "secrets: [{ id: 'a', value: env('INORDER_SECRET') }]," },
      "sources.shop.secrets[0].value: env('INORDER_SECRET'): names that start with INORDER_ are kept for inorder",
    ],
  ];
  it.each(cases)('%s', async (_, parts, message) => {
    expect(await refusal(write(parts))).toContain(`- ${message}`);
  });

  it('a missing variable, by its name and its first place', async () => {
    const message = await refusal(write(), { HOOK_SECRET: 'two' });
    expect(message).toContain(
      'sources.shop.secrets[0].value: needs the variable SHOP_SECRET, or a file named by SHOP_SECRET_FILE',
    );
    expect(message.match(/^ {2}- /gm)).toHaveLength(1);
  });

  it('all of them at once', async () => {
    const message = await refusal(
      write({ source: "tolerance: 'x', maxBytes: 'y', gapTimout: '1s',", rest: 'maxEventsPerRun: 1,' }),
    );
    expect(message.match(/^ {2}- /gm)).toHaveLength(4);
  });

  it('and never shows a secret', async () => {
    const source = "secrets: [{ id: 'a', value: 42_4242 }], apiBase: 'https://a', apiKey: 'top secret é',";
    const message = await refusal(write({ source }));
    expect(message).toContain('sources.shop.secrets[0].value: must be a text');
    expect(message).not.toMatch(/top secret|424242/);
  });
});

describe('what is wrong beside a wrong field', () => {
  it('is reported with it: unknown machines and adapters, effects without a handler, handlers without an effect', async () => {
    const said = await refusal(
      write({
        source: "gapTimeout: 30, provider: 'sandbx', machine: 'oder',",
        effects: "fulfl: http({ url: 'https://shop.example/hooks', secret: env('HOOK_SECRET') })",
      }),
    );
    expect(said).toContain('sources.shop.gapTimeout: must be a duration');
    expect(said).toContain("sources.shop.provider: there is no adapter 'sandbx'. Did you mean 'sandbox'?");
    expect(said).toContain("sources.shop.machine: 'oder' is none of the machines. Did you mean 'order'?");
    expect(said).toContain("effects.fulfil: machine 'order' asks for it and no handler is here.");
    expect(said).toContain('effects.fulfl: no machine has an effect of this name.');
  });

  it('says nothing of names that a machine with problems may define', async () => {
    const said = await refusal(write({ machines: "{ ...order, initial: 'nwe' }" }));
    expect(said).toContain("initial: 'nwe' is not a status");
    expect(said).not.toMatch(/none of the machines|no machine has/);
  });
});

describe('a configuration that is shown', () => {
  it('holds every default and no secret', async () => {
    const file = write({
      source: "apiBase: 'https://api.example/v1', apiKey: 'api-key-value',",
      effects: "fulfil: http({ url: 'https://shop.example/hooks?sig=xyz', secret: env('HOOK_SECRET') })",
    });
    const config = await loadConfig(file, { SHOP_SECRET: 'first-secret', HOOK_SECRET: 'second-secret' });
    const shown = JSON.stringify(showConfig(config));
    expect(shown).not.toMatch(/first-secret|second-secret|api-key-value|sig=/);
    expect(shown).toContain('"gapTimeout":"30s"');
    expect(shown).toContain('https://shop.example/hooks?***');
  });
});
