import { vi } from 'vitest';
import { testStories } from './play-stories.ts';

// A story mostly waits: for a table to be made, for a timer, for an answer.
vi.setConfig({ testTimeout: 120_000, maxConcurrency: 8 });

await testStories({ withProcesses: false });
