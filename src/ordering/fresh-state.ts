import type { Machine } from './machine.ts';
import { STATE_FORMAT } from './state.ts';
import type { Contract, OrderKey, OrderState, SourcePolicy, StreamState } from './state.ts';

/** An order of which nothing is known yet. */
export function freshState(machine: Machine, key: OrderKey): OrderState {
  return {
    v: STATE_FORMAT,
    key,
    machineVersion: machine.version,
    status: machine.initial,
    bearer: null,
    movedBy: null,
    streams: {},
    sources: {},
    deadline: null,
    troubles: {},
    finds: {},
    notices: [],
    attention: [],
  };
}

/** A stream of which nothing is known yet; a sequence that starts at a known number stands just below it. */
export function freshStream(contract: Contract, base: string | null): StreamState {
  return {
    contract,
    version: base,
    by: null,
    fact: null,
    answered: null,
    step: null,
    word: null,
    missing: [],
    missingSince: null,
    held: [],
    gapExpired: false,
    ask: null,
    asks: 0,
    newest: null,
    candidate: null,
    answer: null,
    seen: [],
    resets: 0,
  };
}

/** What is assumed of a source whose policy was never told: nothing is promised, nobody can be asked. */
export const UNKNOWN_SOURCE: SourcePolicy = {
  contract: 'unordered',
  api: false,
  find: false,
  first: 'any',
  gapTimeoutMs: 30_000,
  lagWindowMs: 60_000,
  askDeadlineMs: 86_400_000,
  effects: 'run',
};

/** The source's name of a stream key; names of sources contain no slash. */
export function sourceOf(stream: string): string {
  return stream.slice(0, stream.indexOf('/'));
}

/** The object's name of a stream key. */
export function objectOf(stream: string): string {
  return stream.slice(stream.indexOf('/') + 1);
}
