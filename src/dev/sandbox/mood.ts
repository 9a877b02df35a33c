/**
 * How the sandbox's API behaves: well, or as providers' APIs behave on bad days. Changed by method or by the admin
 * route while it runs.
 */
export interface Mood {
  /** Every answer waits this long. */
  delayMs: number;
  /** An answer is on its way for up to so long: what it says may have passed when it arrives. */
  travelMs: number;
  /** Answers 503: for ever, or for the next so many requests. */
  down: boolean | number;
  /** Answers as a replica that has not heard the last so many changes of an object. */
  versionsBehind: number;
  /** Answers 200 with something that is no answer. */
  wrong: WrongAnswer | null;
  /** More requests than this in a second get 429 with Retry-After; null: no limit. */
  perSecond: number | null;
}
export type WrongAnswer = 'another_object' | 'a_page' | 'half' | 'an_unknown_type';

export const GOOD_MOOD: Mood = {
  ...{ delayMs: 0, travelMs: 0, down: false, versionsBehind: 0, wrong: null, perSecond: null },
};

const isWrongAnswer = (wish: unknown): wish is WrongAnswer =>
  wish === 'another_object' || wish === 'a_page' || wish === 'half' || wish === 'an_unknown_type';
const isCount = (wish: unknown): wish is number => Number.isSafeInteger(wish) && Number(wish) >= 0;

/** The changes of a request to the admin route, or null when it asks for what there is not. */
export function readMoodChange(value: unknown): Partial<Mood> | null {
  if (typeof value !== 'object' || value === null) return null;
  const change: Partial<Mood> = {};
  for (const [name, wish] of Object.entries(value) as [string, unknown][]) {
    if ((name === 'delayMs' || name === 'travelMs' || name === 'versionsBehind') && isCount(wish))
      change[name] = wish;
    else if (name === 'down' && (typeof wish === 'boolean' || isCount(wish))) change.down = wish;
    else if (name === 'perSecond' && (wish === null || isCount(wish))) change.perSecond = wish;
    else if (name === 'wrong' && (wish === null || isWrongAnswer(wish))) change.wrong = wish;
    else return null;
  }
  return change;
}
