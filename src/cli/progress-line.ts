/** What is being done, on stderr: one line that changes for a person at a terminal, else a line for each end. */

export interface ProgressLine {
  show(text: string): void;
  done(text: string): void;
  clear(): void;
}

export function progress(): ProgressLine {
  const write = (text: string) => void process.stderr.write(text);
  if (!process.stderr.isTTY) {
    return { show: () => {}, done: (text) => write(`${text}\n`), clear: () => {} };
  }
  const clear = () => write('\r\u001b[K');
  return {
    show: (text) => {
      clear();
      write(text);
    },
    done: () => {},
    clear,
  };
}
