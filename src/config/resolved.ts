/**
 * The configuration after it was loaded, checked and parsed: what the processes work with. Durations are
 * milliseconds, secrets are values, names are resolved to providers, machines and handlers.
 */
import type { Machine, MachineDefinition } from '../ordering/machine.ts';
import type { AttentionKind, Contract, EffectCause, Facts, SourcePolicy } from '../ordering/state.ts';
import type { TypeMap } from '../providers/mapped-type.ts';
import type { Provider, Secret, SourceSettings } from '../providers/provider.ts';

export interface ConfiguredMachine {
  definition: MachineDefinition;
  machine: Machine;
  /** SHA-256 over the canonical JSON of `machine`. */
  digest: string;
}

export interface Source {
  name: string;
  provider: Provider;
  settings: SourceSettings;
  environment: string;
  machine: string;
  mode: string | null;
  account: string | null;
  secrets: Secret[];
  /** The team's own type map beside the adapter's: a neutral type, null, or a function of the body. */
  types: TypeMap;
  unknownTypes: 'reject' | 'archive';
  maxBytes: number;
  contract: Contract;
  /** What travels with each signal. */
  policy: SourcePolicy;
  api: {
    base: string;
    key: string | null;
    /** Of each request, beside the bearer. */
    headers?: Record<string, string>;
    perSecond: number;
    timeoutMs: number;
  } | null;
  /** Its provider lists what happened, and can be asked for it. */
  lists: boolean;
  /** The list is read on a schedule. */
  reconcile: { everyMs: number } | null;
}

export interface EffectRetry {
  maxAttempts: number;
  firstDelayMs: number;
  maxDelayMs: number;
}
/** What a custom effect function gets. It throws to be tried again. */
export interface EffectCall {
  order: {
    machine: string;
    environment: string;
    id: string;
    status: string;
    previous: string;
    revision: number;
  };
  cause: EffectCause;
  facts: Facts;
  /** Only when it is called because orders need a person; `order` is then the newest of them. */
  attention?: AttentionNews;
  idempotencyKey: string;
  abort: AbortSignal;
}
/** What happened to the attention of one kind and source since the last call about them. */
export interface AttentionNews {
  kind: AttentionKind;
  /** `inorder` where no source is meant: an effect, a deadline. */
  source: string;
  /** Of the newest. */
  reason: string;
  /** How often attention began and ended. */
  began: number;
  ended: number;
  /** How many orders it was about beside the one that is named. */
  otherOrders: number;
}
interface EffectHandlerBase {
  name: string;
  timeoutMs: number;
  /** How long the receiver honours the key; 0: not at all. */
  keyTtlMs: number;
  retry: EffectRetry;
  /** Asked when an unknown end is older than the key: was it done? */
  confirm: ((call: EffectCall) => Promise<boolean>) | null;
}
export type EffectHandler =
  | (EffectHandlerBase & { kind: 'http'; url: string; secret: string; allowPrivate: boolean })
  | (EffectHandlerBase & { kind: 'function'; run: (call: EffectCall) => Promise<void> });

export interface Config {
  /** Absolute path of the file it came from. */
  file: string;
  machines: Map<string, ConfiguredMachine>;
  sources: Map<string, Source>;
  effects: Map<string, EffectHandler>;
  /** The effect that is called when attention begins or ends. */
  notify: string | null;
  redeliverAfterMs: number;
  closeAfterMs: number;
  maxEventsPerRun: number;
}
