/** All that an adapter of one's own may import: `import { parseJsonBody } from 'inorder/provider'`. */
export { ApiUnavailable } from './providers/api-client.ts';
export { isRecord, parseJsonBody } from './providers/json.ts';
export { isRefusal } from './providers/provider.ts';
export type {
  ApiClient,
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
export type { Contract, Facts } from './ordering/state.ts';
