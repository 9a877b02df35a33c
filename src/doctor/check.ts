/** The one shape of a check: what it needs, what it looks at, what it says. Each is one file beside this one. */
import type { Connection } from '@temporalio/client';
import type { Environment } from '../config/environment.ts';
import type { Config } from '../config/resolved.ts';
import type { Store } from '../store/store.ts';

export type Verdict = 'ok' | 'warn' | 'fail';

export interface Finding {
  verdict: Verdict;
  /** What it is about, where a check looks at several: a source, a machine. */
  of?: string;
  seen: string;
  /** What to do; null: nothing. */
  fix: string | null;
  /** A failure that leaves what was looked at usable for other checks. */
  isUsable?: boolean;
}

/** What a check may need to be there; what is missing is told once, by the check that looks at it. */
export type Need = 'environment' | 'configuration' | 'database' | 'tables' | 'temporal';

export interface Patient {
  environment: Environment;
  config: Config;
  store: Store;
  temporal: Connection;
  now: () => number;
  /** How long the canary may take. */
  canaryLimitMs: number;
}

export interface Check {
  name: string;
  needs: Need[];
  look: (patient: Patient) => Promise<Finding[]>;
}

export const ok = (seen: string, of?: string): Finding => finding('ok', seen, null, of);
export const warn = (seen: string, fix: string, of?: string): Finding => finding('warn', seen, fix, of);
export const fail = (seen: string, fix: string, of?: string): Finding => finding('fail', seen, fix, of);

const finding = (verdict: Verdict, seen: string, fix: string | null, of?: string): Finding => ({
  verdict,
  ...(of === undefined ? {} : { of }),
  seen,
  fix,
});
