import { testStories } from './play-stories.ts';

await testStories({ withProcesses: false });
