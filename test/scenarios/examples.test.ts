import { fileURLToPath } from 'node:url';
import { testStories } from './play-stories.ts';

/** The stories of the worked examples in docs/worked-tables.md. */
await testStories(fileURLToPath(new URL('../../examples/', import.meta.url)));
