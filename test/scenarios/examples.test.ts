import { fileURLToPath } from 'node:url';
import { testStories } from './play-stories.ts';

// The stories of docs/worked-tables.md.
await testStories({
  withProcesses: false,
  folder: fileURLToPath(new URL('../../examples/', import.meta.url)),
});
