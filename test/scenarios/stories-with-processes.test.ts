import { vi } from 'vitest';
import { testStories } from './play-stories.ts';

// Processes die, start anew, and wait for what the dead ones held.
vi.setConfig({ testTimeout: 240_000, maxConcurrency: 2 });

await testStories({ withProcesses: true });
