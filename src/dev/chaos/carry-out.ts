/**
 * Carries the plan out, each fault at its time, and undoes it after its own; at the end everything is whole again.
 *
 * 1. What strikes one target strikes it one after the other: nobody is frozen who is just being started anew by us.
 * 2. Who is to fall at a named point falls when it next comes there; if it does not come, the fault was none and is not
 *    counted.
 * 3. `end` waits for all that is under way: then every service is up, nothing is cut, frozen or off any more.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Arrival } from '../crash-points.ts';
import { GOOD_MOOD } from '../sandbox/mood.ts';
import { describeFault, type Fault, type FaultOf, type ProcessKind } from './fault.ts';
import { fillDisk } from './full-disk.ts';
import { nameOf, type Stage } from './stage.ts';

export interface CarriedOut {
  /** How many there were. */
  readonly count: number;
  /** Those that could not be done here, each with why. */
  readonly impossible: string[];
}

type PointFault = FaultOf<'kill-receiver' | 'freeze-receiver' | 'kill-worker' | 'freeze-worker'>;
interface Armed {
  fault: PointFault;
  strike: () => Promise<void>;
  untilMs: number;
}

/** A point that nobody comes to in this time is not waited for. */
const ARMED_MS = 15_000;

export class Faults {
  readonly #chains = new Map<string, Promise<void>>();
  readonly #armed: Armed[] = [];
  readonly #impossible = new Set<string>();
  readonly #say: (line: string) => void;
  #count = 0;

  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  get done(): CarriedOut {
    return { count: this.#count, impossible: [...this.#impossible] };
  }

  /** Returns when all of them are over and undone. (3) */
  async run(plan: readonly Fault[], stage: Stage, signal: AbortSignal): Promise<void> {
    const startedAtMs = performance.now();
    for (const fault of plan) {
      const earlyMs = fault.atMs - (performance.now() - startedAtMs);
      if (earlyMs > 0) await delay(earlyMs, undefined, { signal });
      this.#begin(fault, stage, signal);
    }
    this.#armed.length = 0;
    await Promise.all(this.#chains.values());
  }

  /** (2) */
  async arrive({ process, number, point }: Arrival): Promise<void> {
    const nowMs = performance.now();
    const index = this.#armed.findIndex(
      ({ fault, untilMs }) =>
        nowMs < untilMs && fault.process === process && fault.number === number && fault.at === point,
    );
    const [armed] = index === -1 ? [] : this.#armed.splice(index, 1);
    await armed?.strike();
  }

  #begin(fault: Fault, stage: Stage, signal: AbortSignal): void {
    if ('at' in fault && fault.at !== null) {
      const strike = () => this.#strike(fault, stage, signal);
      this.#armed.push({ fault, strike, untilMs: performance.now() + ARMED_MS });
      return;
    }
    // `run` tells of its failure, with the chain of its target.
    this.#strike(fault, stage, signal).catch(() => {});
  }

  /** Resolves when it has struck; that it is undone, the chain of its target knows. (1) */
  #strike(fault: Fault, stage: Stage, signal: AbortSignal): Promise<void> {
    const target = targetOf(fault);
    return new Promise((resolve, reject) => {
      const before = this.#chains.get(target) ?? Promise.resolve();
      const after = before.then(() =>
        this.#carryOut(fault, stage, signal, () => {
          this.#count++;
          this.#say(describeFault(fault));
          resolve();
        }),
      );
      this.#chains.set(target, after);
      after.then(resolve, reject);
    });
  }

  async #carryOut(fault: Fault, stage: Stage, signal: AbortSignal, hasStruck: () => void): Promise<void> {
    const lasting = async (begin: () => unknown, end: () => unknown): Promise<void> => {
      await begin();
      hasStruck();
      // Undone also when the run is interrupted: what is frozen could not be ended.
      await delay(fault.forMs, undefined, { signal }).catch(() => {});
      await end();
    };
    switch (fault.kind) {
      case 'kill-receiver':
      case 'kill-worker':
        await processOf(stage, fault).supervised.kill();
        hasStruck();
        return;
      case 'freeze-receiver':
      case 'freeze-worker': {
        const { supervised } = processOf(stage, fault);
        await lasting(
          () => supervised.freeze(),
          () => supervised.thaw(),
        );
        return;
      }
      case 'kill-temporal':
      case 'kill-mysql': {
        const service = stage.services[fault.service];
        await lasting(
          () => service.kill(),
          () => (signal.aborted ? null : service.restart()),
        );
        return;
      }
      case 'freeze-temporal':
      case 'freeze-mysql': {
        const service = stage.services[fault.service];
        await lasting(
          () => service.freeze(),
          () => service.thaw(),
        );
        return;
      }
      case 'cut-mysql':
      case 'cut-temporal':
      case 'cut-effects':
      case 'cut-api': {
        const proxy = processOf(stage, fault).proxies[fault.upstream];
        await lasting(
          () => proxy.cut(fault.how),
          () => proxy.mend(),
        );
        return;
      }
      case 'api': {
        const { sandbox } = stage.shop;
        await lasting(
          () => sandbox.setMood({ ...GOOD_MOOD, ...fault.mood }),
          () => sandbox.setMood(GOOD_MOOD),
        );
        return;
      }
      case 'effects': {
        const { effects } = stage.shop;
        await lasting(
          () => effects.setMood({ down: false, delayMs: 0, silent: false, ...fault.mood }),
          () => effects.setMood({ down: false, delayMs: 0, silent: false }),
        );
        return;
      }
      case 'clock': {
        const process = processOf(stage, fault);
        await lasting(
          () => process.setClock(fault.byMs),
          () => process.setClock(0),
        );
        return;
      }
      case 'disk-full': {
        const { pid, url } = stage.services.mysql;
        const disk = await fillDisk({ pid, url, dataFile: stage.dataFile });
        if ('impossible' in disk) {
          this.#impossible.add(`disk-full: ${disk.impossible}`);
          return;
        }
        await lasting(
          () => {},
          () => disk.empty(),
        );
      }
    }
  }
}

const processOf = (stage: Stage, { process, number }: { process: ProcessKind; number: number }) => {
  const found = stage.processes.get(nameOf(process, number));
  if (found === undefined) throw new Error(`there is no ${nameOf(process, number)}`);
  return found;
};

/** What may not be done to two at once. */
function targetOf(fault: Fault): string {
  if ('service' in fault) return fault.service;
  if (fault.kind === 'disk-full') return 'mysql';
  if (!('process' in fault)) return fault.kind;
  const name = nameOf(fault.process, fault.number);
  if (fault.kind === 'clock') return `clock of ${name}`;
  return 'upstream' in fault ? `${fault.upstream} of ${name}` : name;
}
