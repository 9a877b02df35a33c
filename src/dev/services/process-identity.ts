/**
 * Who a process id means. An id alone is reused by the system, so what is written to disk is the id with the
 * moment its process started, and nothing is ever signalled on the word of an id alone.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface ProcessIdentity {
  pid: number;
  /** Opaque: equal for the same process, different for a later one with the same id. */
  startedAt: string;
}

/** The process that has this id now, or null if there is none (a zombie has ended and counts as none). */
export function identify(pid: number): ProcessIdentity | null {
  const startedAt = process.platform === 'linux' ? startedAtFromProc(pid) : startedAtFromPs(pid);
  return startedAt === null ? null : { pid, startedAt };
}

export function isRunning(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.startedAt === identity.startedAt;
}

/** Whether the process was started with exactly this argument. */
export function hasArgument(pid: number, argument: string): boolean {
  try {
    if (process.platform === 'linux') {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(argument);
    }
    return run('ps', ['-ww', '-o', 'args=', '-p', String(pid)]).includes(argument);
  } catch {
    return false;
  }
}

function startedAtFromProc(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // proc(5): the name in parentheses may hold anything; the state is field 3 and the start time field 22.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}/${fields[19]}`;
  } catch {
    return null;
  }
}

function startedAtFromPs(pid: number): string | null {
  try {
    const [state, ...startedAt] = run('ps', ['-o', 'stat=,lstart=', '-p', String(pid)])
      .trim()
      .split(/\s+/);
    return state === undefined || state.startsWith('Z') ? null : startedAt.join(' ');
  } catch {
    return null;
  }
}

function run(command: string, args: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}
