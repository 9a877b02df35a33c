/**
 * The three answers that `inorder init` needs: from flags, from a person, or the usual ones. Nobody is asked where
 * nobody can answer: then what is missing is named with its flag.
 */
import { InorderError } from '../errors.ts';

export const PROVIDERS = ['stripe', 'standard-webhooks', 'sandbox'] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** The fields of an event that an application of one's own may name otherwise. */
const USUAL_PATHS = {
  id: 'id',
  type: 'type',
  order: 'data.order',
  object: 'data.order',
  version: 'data.version',
  time: 'timestamp',
};
type PathName = keyof typeof USUAL_PATHS;
const USUAL_ORDER_PATHS = ['metadata.order_id', 'client_reference_id'];

export interface Answers {
  provider: ProviderName;
  environment: string;
  /** Stripe: inside its object, the first that is there counts. Else empty. */
  orderPaths: string[];
  /** An application of one's own: inside the body. Else empty. */
  paths: Partial<Record<PathName, string>>;
  /** Whether the provider can be asked. */
  withApi: boolean;
}

/** What the flags say. */
export interface GivenAnswers {
  provider?: ProviderName;
  environment?: string;
  orderPath?: string[];
  /** `name=dot.path`; an empty path: the sender has none. */
  path?: string[];
  apiKey: boolean;
  /** Take what is usual for whatever is not given. */
  yes: boolean;
}

/** Puts one question; an empty answer is the usual one. `problem` says why the answer before was not taken. */
export type Ask = (question: {
  text: string;
  usual: string;
  choices?: readonly string[];
  problem: string | null;
}) => Promise<string>;

const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;
const DOT_PATH = /^[^.\s'\\]+(\.[^.\s'\\]+)*$/;

export async function completeAnswers(given: GivenAnswers, ask: Ask | null): Promise<Answers> {
  if (ask === null && !given.yes) refuseSilence(given);
  const provider = given.provider ?? (await askProvider(given, ask));
  const environment =
    given.environment === undefined
      ? await answer(ask, given.yes, 'Which environment? Orders of different ones never meet', 'test', aName)
      : checked('--environment', given.environment, aName);
  const paths = pathsOf(provider, given);
  const orderPaths = await orderPathsOf(provider, paths, given, ask);
  if (provider === 'standard-webhooks') paths.order = orderPaths[0] ?? USUAL_PATHS.order;
  return {
    provider,
    environment,
    orderPaths: provider === 'stripe' ? orderPaths : [],
    paths: provider === 'standard-webhooks' ? paths : {},
    withApi: provider === 'sandbox' || (provider === 'stripe' && given.apiKey),
  };
}

function refuseSilence(given: GivenAnswers): void {
  const isOrderNeeded = given.provider !== 'sandbox' && given.orderPath === undefined;
  const missing = [
    ...(given.provider === undefined ? [`--provider ${PROVIDERS.join('|')}`] : []),
    ...(given.environment === undefined ? ['--environment test'] : []),
    ...(isOrderNeeded ? [`--order-path ${USUAL_ORDER_PATHS[0]}`] : []),
  ];
  if (missing.length === 0) return;
  throw new InorderError(
    'usage',
    `there is no terminal to ask at: give ${missing.join(', ')}; or --provider and --yes for what is usual`,
  );
}

async function askProvider({ yes }: GivenAnswers, ask: Ask | null): Promise<ProviderName> {
  // There is no usual provider to fall back on: a wrong one would write files for nothing.
  if (ask === null || yes) throw new InorderError('usage', `say which --provider: ${PROVIDERS.join(', ')}`);
  return (await answer(
    ask,
    false,
    'Who sends the webhooks?',
    'stripe',
    aProvider,
    PROVIDERS,
  )) as ProviderName;
}

async function orderPathsOf(
  provider: ProviderName,
  paths: Answers['paths'],
  given: GivenAnswers,
  ask: Ask | null,
): Promise<string[]> {
  if (provider === 'sandbox') return [];
  if (given.orderPath !== undefined) {
    return given.orderPath.map((path) => checked('--order-path', path, aDotPath));
  }
  if (provider === 'standard-webhooks') {
    const usual = paths.order ?? USUAL_PATHS.order;
    return [await answer(ask, given.yes, "Where in the body is the order's id?", usual, aDotPath)];
  }
  const text = "Where in Stripe's object is your order's id? Several, with blanks between, are tried in turn";
  return (await answer(ask, given.yes, text, USUAL_ORDER_PATHS.join(' '), dotPaths)).trim().split(/[\s,]+/);
}

function pathsOf(provider: ProviderName, { path = [] }: GivenAnswers): Answers['paths'] {
  if (path.length > 0 && provider !== 'standard-webhooks') {
    throw new InorderError(
      'usage',
      `--path is for standard-webhooks; where ${provider} has its fields is known`,
    );
  }
  const paths: Answers['paths'] = { ...USUAL_PATHS };
  for (const written of path) {
    const [, name = '', where = ''] = /^(\w+)=(.*)$/.exec(written) ?? [];
    if (!Object.hasOwn(USUAL_PATHS, name)) {
      const names = Object.keys(USUAL_PATHS).join(', ');
      throw new InorderError(
        'usage',
        `--path must be name=dot.path with one of ${names}; it is '${written}'`,
      );
    }
    if (where === '') delete paths[name as PathName];
    else paths[name as PathName] = checked('--path', where, aDotPath);
  }
  return paths;
}

/** Says what is wrong; null: nothing. */
type Rule = (text: string) => string | null;
const aName: Rule = (text) => (NAME.test(text) ? null : "must be small letters, digits or '-', at most 63");
const aProvider: Rule = (text) =>
  (PROVIDERS as readonly string[]).includes(text) ? null : `must be one of ${PROVIDERS.join(', ')}`;
const aDotPath: Rule = (text) =>
  DOT_PATH.test(text) ? null : `must be a dot path such as '${USUAL_ORDER_PATHS[0]}'`;
const dotPaths: Rule = (text) =>
  text
    .trim()
    .split(/[\s,]+/)
    .map(aDotPath)
    .find((problem) => problem !== null) ?? null;

function checked(flag: string, text: string, rule: Rule): string {
  const problem = rule(text);
  if (problem === null) return text;
  throw new InorderError('usage', `${flag} ${problem}; it is '${text}'`);
}

async function answer(
  ask: Ask | null,
  yes: boolean,
  text: string,
  usual: string,
  rule: Rule,
  choices?: readonly string[],
): Promise<string> {
  if (ask === null || yes) return usual;
  for (let problem: string | null = null; ;) {
    const question = { text, usual, problem, ...(choices === undefined ? {} : { choices }) };
    const said = (await ask(question)).trim() || usual;
    // A number chooses from the list.
    const chosen = choices?.[Number(said) - 1] ?? said;
    problem = rule(chosen);
    if (problem === null) return chosen;
  }
}
