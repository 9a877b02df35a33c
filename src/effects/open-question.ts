import type { OrderState } from '../ordering/state.ts';

/**
 * Whether any gap, held event or ask of the order is open. A sensitive effect waits meanwhile: what is still
 * missing may take back what caused it (R33). A number passed over by an early type leaves a gap, too.
 */
export function hasOpenQuestion(state: OrderState): boolean {
  if (Object.keys(state.finds).length > 0) return true;
  return Object.values(state.streams).some(
    (stream) =>
      stream.held.length > 0 || stream.missing.length > 0 || stream.ask !== null || stream.answer !== null,
  );
}
