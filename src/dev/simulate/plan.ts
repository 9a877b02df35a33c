/**
 * How the events of one order are delivered: as they happened, or as on a bad day. Pure: the same events, story and
 * chance give the same plan.
 */
import { InorderError } from '../../errors.ts';
import type { Random } from '../sandbox/random.ts';
import type { ToldEvent } from './teller.ts';

export const STORIES = ['duplicate', 'reordered', 'late', 'forged', 'lost'] as const;
export type Story = (typeof STORIES)[number];

/** What is done to a delivery that nobody should believe. */
export type Forgery = 'wrong secret' | 'changed byte' | 'old time';
const FORGERIES: readonly Forgery[] = ['wrong secret', 'changed byte', 'old time'];

export interface PlannedDelivery {
  event: ToldEvent;
  forgery: Forgery | null;
  /** What the receiver has to answer; `lost`: it is never sent. */
  expected: 'accepted' | 'known' | 'refused' | 'lost';
}

export function plan(events: readonly ToldEvent[], story: Story | null, random: Random): PlannedDelivery[] {
  const once = events.map((event) => delivery(event, 'accepted'));
  if (story === null) return once;
  if (story !== 'duplicate' && story !== 'forged' && events.length < 2) {
    throw new InorderError(
      'usage',
      `One event alone cannot be told ${story}; take one that others lead to, or 'life'.`,
    );
  }
  switch (story) {
    case 'duplicate':
      return once.flatMap((first) => [first, delivery(first.event, 'known')]);
    case 'reordered':
      return reordered(once, random);
    case 'late': {
      const [first, ...others] = once;
      return first === undefined ? [] : [...others, first];
    }
    case 'forged':
      return once.flatMap((genuine, index) => {
        const forgery = FORGERIES[index % FORGERIES.length] ?? 'wrong secret';
        return [{ event: genuine.event, forgery, expected: 'refused' as const }, genuine];
      });
    case 'lost': {
      // The last one would be missed by nobody but the provider's API.
      const lost = random.between(0, once.length - 2);
      return once.map((one, index) => (index === lost ? { ...one, expected: 'lost' as const } : one));
    }
  }
}

function reordered(once: PlannedDelivery[], random: Random): PlannedDelivery[] {
  const shuffled = random.shuffled(once);
  return shuffled.every((one, index) => one === once[index]) ? shuffled.toReversed() : shuffled;
}

const delivery = (event: ToldEvent, expected: PlannedDelivery['expected']): PlannedDelivery => ({
  event,
  forgery: null,
  expected,
});
