/** How an API and a receiver of effects behave as a story says: numbers count requests and calls, and pass. */
import type { ApiMood, EffectMood } from '../format/scenario.ts';

export const isOn = (value: boolean | number | undefined): boolean =>
  value !== undefined && value !== false && value !== 0;

/** Numbers count requests. */
export function oneRequestLater(mood: ApiMood): ApiMood {
  const { down, limited } = mood;
  if (typeof down === 'number' && down > 0) return { ...mood, down: down - 1 };
  return limited !== undefined && limited > 0 && !isOn(down) ? { ...mood, limited: limited - 1 } : mood;
}

export type Moment = 'good' | 'refuses' | 'doesAndAnswers500' | 'doesAndIsSilent';
const BAD_MOMENTS = ['refuses', 'doesAndAnswers500', 'doesAndIsSilent'] as const;

/** Each number counts calls; they come one kind after the other. */
export function momentOf(mood: EffectMood): { moment: Moment; next: EffectMood } {
  for (const moment of BAD_MOMENTS) {
    const left = mood[moment];
    if (left === true) return { moment, next: mood };
    if (typeof left === 'number' && left > 0) return { moment, next: { ...mood, [moment]: left - 1 } };
  }
  return { moment: 'good', next: mood };
}
