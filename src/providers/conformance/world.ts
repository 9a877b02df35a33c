/** What the conformance checks have to know of a scheme: how it signs, one good event, where its fields are. */
import type { ParsedEvent, Provider, SourceSettings } from '../provider.ts';

/** What an adapter knows of its source, with everything unset that is not given. */
export const sourceSettings = (more: Partial<SourceSettings> = {}): SourceSettings => ({
  name: 'source',
  environment: 'live',
  toleranceMs: 300_000,
  orderPaths: [],
  paths: {},
  mode: null,
  account: null,
  requests: {},
  ...more,
});

export interface ProviderWorld {
  provider: Provider;
  settings: SourceSettings;
  /** Two secrets of the scheme's form. */
  secrets: [string, string];
  /** The headers of a genuine request over these bytes. */
  sign: (body: Buffer, secret: string, nowMs: number) => Record<string, string>;
  /** Headers, in lower case, that are signed or are the signature: each changed byte of one must be refused. */
  signedHeaders: string[];
  /** The one of them that holds the signature. */
  signatureHeader: string;
  /** Values of it that nobody may take for a signature. */
  brokenSignatures: string[];
  /** One good event with a mapped type, as the provider writes it, personal data included. */
  sample: () => Record<string, unknown>;
  /** A good event of this type; without it, the sample with the word at `typePath`. */
  sampleOf?: (word: string) => Record<string, unknown>;
  typePath: string;
  /** Dot paths without which there is no event. */
  requiredPaths: string[];
  /** Dot paths of identifiers, with how the parsed event shows them. */
  ids: { path: string; shown: (event: ParsedEvent) => string | undefined }[];
  /** Where mode and account are; only for schemes that have them. `texts` are two values with how they are shown. */
  mode?: { path: string; texts: [value: unknown, shown: string][] };
  account?: { path: string; texts: [value: unknown, shown: string][] };
  /** One body of several items; only for schemes that send batches. */
  batch?: (items: Record<string, unknown>[]) => Record<string, unknown>;
  /** Words of the sample that say who somebody is, and that no fact may hold. */
  personal: string[];
}

/** One thing every adapter must do. `run` throws when this one does not. */
export interface ConformanceCheck {
  name: string;
  run(): void | Promise<void>;
}
