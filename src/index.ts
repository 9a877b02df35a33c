/** All that a configuration or a machine may import: `import { defineConfig } from 'inorder'`. */
export { defineConfig, env, http } from './config/written.ts';
export type {
  ConfigDefinition,
  EffectDefinition,
  EnvReference,
  SecretDefinition,
  SourceDefinition,
} from './config/written.ts';
export type { AttentionNews, EffectCall } from './config/resolved.ts';
export { NotDone } from './effects/not-done.ts';
export { defineMachine, ignore, review, stay } from './ordering/machine.ts';
export type { Cell, EffectPolicy, LateRule, MachineDefinition } from './ordering/machine.ts';
