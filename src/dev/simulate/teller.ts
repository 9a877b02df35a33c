/**
 * Who tells what has happened, in a provider's own words and bytes: told once, it is true in that provider's world,
 * and a stand-in of its API answers so.
 */
export interface ToldEvent {
  /** The source it is sent to. */
  source: string;
  id: string;
  /** The provider's word. */
  type: string;
  body: string;
}

export interface Teller {
  /** All that can be told beside `life`. */
  readonly words: readonly string[];
  /**
   * What led there and is not told yet, and the thing itself, in the order they happen: each step becomes true when it
   * is taken, and gives the events that say so.
   */
  tell(order: string, word: string): Generator<ToldEvent[]>;
}

export const LIFE = 'life';
