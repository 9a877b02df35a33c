/**
 * The configuration as a team writes it: types for the editor and the three words it is written with. A config
 * file imports this through `inorder`, possibly in a second copy of this module, so values are marked by shape
 * and never by identity, and nothing heavy is imported here. `schema.ts` checks what is really there.
 */
import type { MachineDefinition } from '../ordering/machine.ts';
import type { Provider } from '../providers/provider.ts';
import type { ProviderName } from '../providers/registry.ts';
import type { EffectCall } from './resolved.ts';

/** A value that comes from an environment variable, or from the file that `<name>_FILE` names. */
export interface EnvReference {
  readonly fromEnvironment: string;
  readonly optional: boolean;
}
/** A text, or where to find it. */
export type Text = string | EnvReference;

export interface SecretDefinition {
  /** Shown in the record of each delivery it confirmed; never the value. */
  id: string;
  value: Text;
  /** Not accepted after this instant, ISO 8601 with a zone. */
  until?: string;
}

export interface SourceDefinition<Machine extends string = string> {
  /** Name of an adapter, or one of your own (`inorder/provider`). */
  provider: ProviderName | Provider;
  environment: Text;
  /** Name of the machine its orders follow. */
  machine: Machine;
  /** Other modes are kept as `foreign`. */
  mode?: Text;
  /** Other accounts are kept as `foreign`. */
  account?: Text;
  secrets: readonly SecretDefinition[];
  /** Dot paths to the order id inside the provider's object; the first that is there counts. */
  order?: readonly string[];
  /** Dot paths to the fields of an event, for providers whose payload is not fixed. */
  paths?: Record<string, string>;
  /** Beside the adapter's map: a neutral type, null (known, not wanted), or a function of the body. */
  types?: Record<string, string | null | ((body: unknown) => string | null)>;
  unknownTypes: 'reject' | 'archive';
  /** How far a signed time may lie from now, on both sides. */
  tolerance?: string;
  maxBytes?: number;
  contract?: 'sequence' | 'monotonic' | 'unordered';
  /** The first version of a stream, or `any`. */
  first?: string;
  gapTimeout?: string;
  lagWindow?: string;
  askDeadline?: string;
  /** Where the provider's API answers, if its adapter does not know. */
  apiBase?: Text;
  /** Sent as a bearer. Adapters that know their API ask it if this is set, and only then. */
  apiKey?: Text;
  /** How an object is read, for adapters whose API is not fixed. */
  fetch?: FetchDefinition;
  /** How the objects of an order are found, for the same adapters. */
  find?: FindDefinition;
  /** How what happened is listed, for the same adapters. */
  list?: ListDefinition;
  apiPerSecond?: number;
  apiTimeout?: string;
  /** Reads the provider's list on a schedule, so that webhooks that never came are found. */
  reconcile?: ReconcileDefinition;
  /** `record`: shadow mode, effects are decided and written, never called. */
  effects?: 'run' | 'record';
  /** Orders of objects made before this instant are adopted: status set, no effect runs. ISO 8601 with a zone. */
  existingBefore?: Text;
}

export interface FetchDefinition {
  /** With `{object}` in its path or query. */
  url: Text;
  /** Sent as a bearer, to the origin of `url` only; with `find` too. */
  bearer?: Text;
  /** Dot paths to the fields of an answer, where they differ from those of an event. */
  paths?: Record<string, string>;
}
export interface FindDefinition {
  /** With `{order}` in its path or query; on the same origin as `fetch`. */
  url: Text;
}

export interface ListDefinition {
  /** With `{since}` or `{sinceSeconds}`; also `{until}`, `{untilSeconds}`, `{cursor}`. On the origin of `fetch`. */
  url: Text;
  /** Where there is no `fetch` to have one. */
  bearer?: Text;
  /** `events`: what happened. `objects`: what is true of those that changed. */
  of?: 'events' | 'objects';
  /** Dot path to the list in an answer; without it the answer is the list. */
  items?: string;
  /** Dot path to what goes into `{cursor}` for the next page. */
  next?: string;
  /** Dot paths to the fields of an item, where they differ from those of an event. */
  paths?: Record<string, string>;
}
export interface ReconcileDefinition {
  /** How often, such as '15m'. */
  every: string;
}

export interface RetryDefinition {
  maxAttempts?: number;
  firstDelay?: string;
  maxDelay?: string;
}

export interface EffectOptions {
  /** Time limit of one attempt. */
  timeout?: string;
  /** How long the receiver honours the idempotency key; '0': not at all. */
  keyTtl?: string;
  retry?: RetryDefinition;
  /** Asked when an attempt's end is unknown and the key is no longer honoured: was it done? */
  confirm?: (call: EffectCall) => Promise<boolean>;
}
export interface HttpEffectOptions extends EffectOptions {
  url: Text;
  /** Signs each call (Standard Webhooks). */
  secret: Text;
  /** Loopback and private addresses are refused without it. */
  allowPrivate?: boolean;
}
export interface HttpEffectDefinition extends HttpEffectOptions {
  kind: 'http';
}
export interface FunctionEffectDefinition extends EffectOptions {
  /** Throws to be tried again. */
  run: (call: EffectCall) => Promise<void>;
}
export type EffectDefinition = HttpEffectDefinition | FunctionEffectDefinition;

export interface AttentionDefinition<Effect extends string = string> {
  /** An effect that is called when attention begins or ends, at most once per kind and source in five minutes. */
  notify: Effect;
}

type EffectNameOf<M> = M extends MachineDefinition ? keyof M['effects'] & string : never;

/**
 * What must be the same in two places is inferred from one of them: the names of machines and of their effects from
 * `machines` (`M`), the effect that only tells people (`A`) from `attention`.
 */
export interface ConfigDefinition<
  M extends readonly MachineDefinition[] = readonly MachineDefinition[],
  A extends string = string,
> {
  machines: M;
  sources: Record<string, SourceDefinition<NoInfer<M>[number]['name']>>;
  /** A handler for each effect of the machines, and for the one that `attention` names. */
  effects: Record<EffectNameOf<NoInfer<M>[number]> | NoInfer<A>, EffectDefinition>;
  /** Tells of attention: names one of `effects`. */
  attention?: AttentionDefinition<A>;
  /** An event that no workflow took is sent again after this. */
  redeliverAfter?: string;
  /** How long the provider may leave a question open before a person is asked. */
  askDeadline?: string;
  /** A workflow with nothing open closes when it was quiet for this long. */
  closeAfter?: string;
  maxEventsPerRun?: number;
}

/** Declares a configuration; only types are checked here, the rest when it is loaded. */
export function defineConfig<const M extends readonly MachineDefinition[], const A extends string = never>(
  definition: ConfigDefinition<M, A>,
): ConfigDefinition<M, A> {
  return definition;
}

/** The value of a variable, looked up when the configuration is loaded. `optional`: may be absent. */
export function env(name: string, options?: { optional?: boolean }): EnvReference {
  return { fromEnvironment: name, optional: options?.optional ?? false };
}

/** An effect that is a signed HTTP call. */
export function http(options: HttpEffectOptions): HttpEffectDefinition {
  return { kind: 'http', ...options };
}
