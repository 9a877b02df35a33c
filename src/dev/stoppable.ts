/** A command that holds servers, from its first line to its end: whatever ends it, what it started ends with it. */
import { Closing } from '../processes/closing.ts';
import { catchInterrupt } from './interrupt.ts';
import { Progress } from './progress.ts';

export interface Running {
  progress: Progress;
  closing: Closing;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

/** What `run` returns, or the status of the interrupt that ended it. */
export async function runStoppable<Result>(
  run: (running: Running) => Promise<Result>,
): Promise<Result | { interrupted: number }> {
  const progress = new Progress();
  const say = (line: string) => progress.say(line);
  const closing = new Closing(say);
  const interrupt = catchInterrupt(() => say('stopping …'));
  try {
    return await run({ progress, closing, signal: interrupt.signal });
  } catch (error) {
    if (interrupt.status === null) throw error;
    return { interrupted: interrupt.status };
  } finally {
    progress.end();
    await closing.close();
    interrupt.release();
  }
}
