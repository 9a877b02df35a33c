/** Epoch milliseconds as everything that people and programs read writes an instant. */
export const toIso = (epochMs: number): string => new Date(epochMs).toISOString();
