import { vi } from 'vitest';
import { testStories } from './play-stories.ts';

// A story mostly waits: for a table to be made, for a timer, for an answer.
vi.setConfig({ testTimeout: 240_000, maxConcurrency: 6 });

await testStories({ withProcesses: false });
