/** Where programs that were fetched for this project lie. */
export const DEFAULT_TOOLS_DIRECTORY = '.inorder/tools';

/** A server of ours that runs: what a test or the demo may do to it. */
export interface RunningService {
  readonly pid: number;
  /** Ends it and gives its directory back; safe to call again. */
  stop(): Promise<void>;
  /** Ends it as a crash would; `restart` brings it back. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** Same port, same data. */
  restart(): Promise<void>;
}
