import { findMisshapen } from './state-shape.ts';
import { STATE_FORMAT } from './state.ts';
import type { OrderState } from './state.ts';

/**
 * A stored state as this code knows it. Every format up to the present one is read, for ever; a later one was
 * written by a newer release, and deciding on it half understood could lose what it says. So could deciding on one
 * that was damaged: what lacks a field is refused, too.
 */
export function readState(stored: unknown): OrderState {
  const state = stored as OrderState;
  if (typeof state !== 'object' || state === null || !Number.isInteger(state.v) || state.v < 1)
    throw new Error('this is no state of an order: it has no format number');
  if (state.v > STATE_FORMAT)
    throw new Error(
      `the order was stored in format ${state.v}, and this release reads up to ${STATE_FORMAT}`,
    );
  const misshapen = findMisshapen(state);
  if (misshapen !== null)
    throw new Error(`this is no state of an order: ${misshapen} is not what it should be`);
  return state;
}
