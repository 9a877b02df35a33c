/** What a source of `standard-webhooks` may say, and what of it cannot work: told when a configuration is checked. */
import { didYouMean } from '../ordering/did-you-mean.ts';
import type { Contract } from '../ordering/state.ts';
import type { Secret, SettingsProblem, SourceSettings } from './provider.ts';
import {
  PRIVATE_KEY_PREFIX,
  PUBLIC_KEY_PREFIX,
  publicKeyOf,
  isOfKeyPair,
} from './standard-webhooks-signature.ts';

/** A closed list: nothing of a body that could say who somebody is gets beyond it. */
export const FACT_NAMES = [
  'amount',
  'attempt',
  'captured',
  'carrier',
  'charge',
  'currency',
  'dispute',
  'payment',
  'reason',
  'refund',
  'refunded',
  'session',
  'shipment',
] as const;

export const FIELD_NAMES = [
  'id',
  'type',
  'order',
  'object',
  'kind',
  'version',
  'time',
  'created',
  'payment',
  'mode',
  'account',
];
const PATH_NAMES = [...FIELD_NAMES, ...FACT_NAMES.map((name) => `facts.${name}`)];

export function findStandardWebhooksProblems({
  settings,
  contract,
  secrets,
}: {
  settings: SourceSettings;
  contract: Contract;
  secrets: Secret[];
}): SettingsProblem[] {
  return [
    ...unknownPaths(settings.paths, ['paths']),
    ...unknownPaths(settings.requests.paths ?? {}, ['fetch', 'paths']),
    ...missingPaths(settings, contract),
    ...wrongTemplate('fetch', settings.requests.fetch, placeholdersOf(settings)),
    ...wrongTemplate('find', settings.requests.find, ['order']),
    ...wrongList(settings),
    ...secrets.flatMap((secret) => wrongKey(secret)),
  ];
}

function unknownPaths(paths: Record<string, string>, at: string[]): SettingsProblem[] {
  return Object.keys(paths)
    .filter((name) => !PATH_NAMES.includes(name))
    .map((name) => ({
      path: [...at, name],
      message: `is no field of an event.${didYouMean(name, PATH_NAMES) || ` Known: ${PATH_NAMES.join(', ')}`}`,
    }));
}

function missingPaths({ paths, orderPaths }: SourceSettings, contract: Contract): SettingsProblem[] {
  const problems: SettingsProblem[] = [];
  if (paths['order'] === undefined && orderPaths.length === 0) {
    problems.push({
      path: ['paths', 'order'],
      message: "is missing; say where the order's id is, such as 'data.order'",
    });
  }
  if (contract !== 'unordered' && paths['version'] === undefined) {
    problems.push({
      path: ['paths', 'version'],
      message: `is missing; contract '${contract}' is a promise about versions, so say where they are, or state contract: 'unordered'`,
    });
  }
  if (contract === 'unordered' && paths['version'] !== undefined) {
    problems.push({
      path: ['contract'],
      message:
        "is missing for these versions; state 'sequence' if no number is ever left out, 'monotonic' if they only rise, " +
        "or remove 'paths.version'",
    });
  }
  return problems;
}

const placeholdersOf = ({ paths }: SourceSettings): string[] =>
  paths['kind'] === undefined ? ['object'] : ['object', 'kind'];

/** The first of the placeholders has to be there. */
function wrongTemplate(
  field: 'fetch' | 'find',
  template: string | undefined,
  placeholders: string[],
): SettingsProblem[] {
  if (template === undefined) return [];
  const named = placeholdersIn(template);
  const unknown = named.filter((name) => !placeholders.includes(name));
  const problems = unknown.map((name) => `knows no {${name}}; it may hold {${placeholders.join('}, {')}}`);
  if (!named.includes(placeholders[0] ?? ''))
    problems.push(`must hold {${placeholders[0]}}, where the id goes`);
  return problems.map((message) => ({ path: [field, 'url'], message }));
}

const LIST_PLACEHOLDERS = ['since', 'until', 'sinceSeconds', 'untilSeconds', 'cursor'];

function wrongList({ paths, requests: { list, fetch } }: SourceSettings): SettingsProblem[] {
  if (list === undefined) return [];
  const named = placeholdersIn(list.request);
  const problem = (field: string, message: string): SettingsProblem => ({ path: ['list', field], message });
  const problems = [
    ...unknownPaths(list.paths, ['list', 'paths']),
    ...named
      .filter((name) => !LIST_PLACEHOLDERS.includes(name))
      .map((name) => problem('url', `knows no {${name}}; it may hold {${LIST_PLACEHOLDERS.join('}, {')}}`)),
  ];
  if (!named.includes('since') && !named.includes('sinceSeconds'))
    problems.push(problem('url', 'must hold {since} or {sinceSeconds}, from when on to list'));
  if ((list.next === undefined) === named.includes('cursor')) {
    problems.push(
      list.next === undefined
        ? problem('next', 'is missing; say where an answer has what goes into {cursor}')
        : problem('url', "must hold {cursor}, where what is found at 'next' goes"),
    );
  }
  if (list.of === 'events' && paths['id'] === undefined && list.paths['id'] === undefined) {
    problems.push(
      problem(
        'paths',
        "needs 'id': where a listed event has the id that its webhook has in the header webhook-id",
      ),
    );
  }
  if (list.of === 'objects' && paths['version'] === undefined && fetch === undefined) {
    problems.push(
      problem(
        'of',
        "cannot be 'objects' without 'fetch': what is listed without a version only says whom to ask about",
      ),
    );
  }
  return problems;
}

const placeholdersIn = (template: string): string[] =>
  [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);

function wrongKey({ id, value }: Secret): SettingsProblem[] {
  const problem = (what: string): SettingsProblem[] => [{ path: ['secrets'], message: `'${id}' ${what}` }];
  if (value.startsWith(PRIVATE_KEY_PREFIX)) {
    return problem(
      `is the sender's private key; take the public one, which begins with ${PUBLIC_KEY_PREFIX}`,
    );
  }
  if (value.startsWith(PUBLIC_KEY_PREFIX) && publicKeyOf(value) === null) {
    return problem(`is no ed25519 public key: after ${PUBLIC_KEY_PREFIX} stands the base64 of 32 bytes`);
  }
  if (!value.startsWith(PUBLIC_KEY_PREFIX) && isOfKeyPair(value)) {
    return problem(
      `is a key of a pair in another form; a public key is written ${PUBLIC_KEY_PREFIX} and the base64 of its 32 bytes, ` +
        'without blanks or quotation marks',
    );
  }
  return [];
}
