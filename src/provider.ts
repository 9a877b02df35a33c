/** All that an adapter of one's own may import: `import { parseJsonBody } from 'inorder/provider'`. */
export { ApiUnavailable } from './providers/api-client.ts';
export { conformanceChecks } from './providers/conformance/checks.ts';
export { sourceSettings } from './providers/conformance/world.ts';
export type { ConformanceCheck, ProviderWorld } from './providers/conformance/world.ts';
export { isRecord, parseJsonBody } from './providers/json.ts';
export { NEUTRAL_TYPES } from './providers/neutral-types.ts';
export { isRefusal } from './providers/provider.ts';
export type {
  ApiClient,
  ListedItem,
  ListedPage,
  ListRequest,
  ParsedEvent,
  Provider,
  ProviderSnapshot,
  RawDelivery,
  Refusal,
  RefusalCode,
  Secret,
  SettingsProblem,
  SourceSettings,
} from './providers/provider.ts';
export { asText, optionalText, pickFacts, requiredText, valueAt } from './providers/read-fields.ts';
export type { Contract, Facts } from './ordering/state.ts';
