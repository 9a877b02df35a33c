/** What may be done to the stack, as data: each kind has a name that `--only` takes. */
import type { WrongAnswer } from '../sandbox/mood.ts';

export type ProcessKind = 'receiver' | 'worker';
export type ServiceKind = 'temporal' | 'mysql';
/** Whom a proxy stands before. */
export type Upstream = 'mysql' | 'temporal' | 'effects' | 'api';

/** `reset`: connections end, new ones too. `silence`: nothing passes. `no answers`: what is asked arrives. */
export type CutHow = 'reset' | 'silence' | 'no answers';

export type ApiMood =
  { down: true } | { delayMs: number } | { versionsBehind: number } | { wrong: WrongAnswer };
export type EffectsMood = { down: true } | { delayMs: number } | { silent: true };

interface Timed {
  /** After the storm's beginning. */
  atMs: number;
  /** Until it is undone: goes on, comes back, behaves again. */
  forMs: number;
}
interface OnProcess {
  process: ProcessKind;
  /** From 1. */
  number: number;
}

/** `at`: where in its work; null: wherever it is. */
type ProcessFault = Timed & OnProcess & { kind: `${'kill' | 'freeze'}-${ProcessKind}`; at: string | null };
type ServiceFault = Timed & { kind: `${'kill' | 'freeze'}-${ServiceKind}`; service: ServiceKind };
type CutFault = Timed & OnProcess & { kind: `cut-${Upstream}`; upstream: Upstream; how: CutHow };
type ApiFault = Timed & { kind: 'api'; mood: ApiMood };
type EffectsFault = Timed & { kind: 'effects'; mood: EffectsMood };
type ClockFault = Timed & OnProcess & { kind: 'clock'; byMs: number };
type DiskFault = Timed & { kind: 'disk-full' };

export type Fault = ProcessFault | ServiceFault | CutFault | ApiFault | EffectsFault | ClockFault | DiskFault;
export type FaultKind = Fault['kind'];
export type FaultOf<Kind extends FaultKind> = Extract<Fault, { kind: Kind }>;

export const FAULT_KINDS: readonly FaultKind[] = [
  ...(['kill-receiver', 'kill-worker', 'kill-temporal', 'kill-mysql'] as const),
  ...(['freeze-receiver', 'freeze-worker', 'freeze-temporal', 'freeze-mysql'] as const),
  ...(['cut-mysql', 'cut-temporal', 'cut-effects', 'cut-api'] as const),
  ...(['api', 'effects', 'clock', 'disk-full'] as const),
];

/** The named points of each process: what lies before and after each of them must make no difference. */
export const POINTS: Readonly<Record<ProcessKind, readonly string[]>> = {
  receiver: ['receiver.verified', 'receiver.stored', 'receiver.offered'],
  worker: [
    ...['apply.decided', 'apply.committed', 'ask.begun', 'ask.answered'],
    ...['effect.claimed', 'effect.sent', 'effect.marked', 'list.read', 'list.stored', 'list.turned'],
  ],
};

export function describeFault(fault: Fault): string {
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  const time = `for ${seconds(fault.forMs)}`;
  switch (fault.kind) {
    case 'kill-receiver':
    case 'kill-worker':
      return `kill ${fault.process} ${fault.number}${fault.at === null ? '' : ` at ${fault.at}`}`;
    case 'freeze-receiver':
    case 'freeze-worker':
      return `freeze ${fault.process} ${fault.number}${fault.at === null ? '' : ` at ${fault.at}`} ${time}`;
    case 'kill-temporal':
    case 'kill-mysql':
      return `kill ${fault.service}, away ${time}`;
    case 'freeze-temporal':
    case 'freeze-mysql':
      return `freeze ${fault.service} ${time}`;
    case 'cut-mysql':
    case 'cut-temporal':
    case 'cut-effects':
    case 'cut-api':
      return `cut ${fault.process} ${fault.number} off from ${fault.upstream} (${fault.how}) ${time}`;
    case 'api':
      return `the providers' API: ${describeMood(fault.mood)} ${time}`;
    case 'effects':
      return `the effects' receiver: ${describeMood(fault.mood)} ${time}`;
    case 'clock':
      return `the clock of ${fault.process} ${fault.number} is off by ${seconds(fault.byMs)} ${time}`;
    case 'disk-full':
      return `the database's files cannot grow ${time}`;
  }
}

const describeMood = (mood: ApiMood | EffectsMood): string =>
  Object.entries(mood)
    .map(([name, value]) => (value === true ? name : `${name} ${value}`))
    .join(', ');
