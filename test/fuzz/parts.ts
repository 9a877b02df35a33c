/** All parts of the fuzz run. */
import { adapters } from './adapters/adapters.ts';
import { core } from './core/core.ts';
import type { Part } from './part.ts';
import { receiver } from './receiver/receiver.ts';
import { states } from './states/states.ts';

/** Each part judges inputs that it made itself, or that were written down of it: its type is its own affair. */
export const PARTS = { receiver, adapters, core, states } as unknown as Record<string, Part<unknown>>;
