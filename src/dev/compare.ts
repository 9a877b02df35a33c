/**
 * What came out beside what is true. Truth is the stories', statuses are what inorder stored, effects are what their
 * receiver counted; nobody marks their own work here.
 */
import type { OrderStatus } from '../store/overview.ts';
import type { ExpectedEffect, Story } from './sandbox/story.ts';
import type { DoneEffect } from './traffic/effect-receiver.ts';

export interface WrongOrder {
  story: Story;
  problems: Problem[];
}

export interface Problem {
  kind: 'status' | 'attention' | 'missing' | 'repeated' | 'unexpected';
  /** What follows the order's name. */
  text: string;
}

export interface Comparison {
  orders: number;
  correct: number;
  wrong: WrongOrder[];
  effects: { expected: number; done: number; repeated: number; missing: number; unexpected: number };
}

export function compare(
  stories: Story[],
  statuses: Map<string, OrderStatus>,
  done: readonly DoneEffect[],
): Comparison {
  const doneOf = groupByOrder(done);
  const effects = { expected: 0, done: 0, repeated: 0, missing: 0, unexpected: 0 };
  const wrong: WrongOrder[] = [];
  for (const story of stories) {
    const stored = statuses.get(story.order);
    const problems: Problem[] = [];
    if (stored?.status !== story.truth.status) {
      const text = `is ${stored?.status ?? 'not there'}, and ${story.truth.status} in truth`;
      problems.push({ kind: 'status', text });
    }
    if (stored && stored.attention !== '') {
      problems.push({ kind: 'attention', text: `wants a person: ${stored.attention}` });
    }
    problems.push(...compareEffects(story.truth.effects, doneOf.get(story.order) ?? [], effects));
    if (problems.length > 0) wrong.push({ story, problems });
  }
  const strangers = done.filter(({ order }) => !stories.some((story) => story.order === order)).length;
  effects.unexpected += strangers;
  return { orders: stories.length, correct: stories.length - wrong.length, wrong, effects };
}

/** Adds to the counts; returns what is wrong, in words. `done` and `expected` count the required ones. */
export function compareEffects(
  expected: ExpectedEffect[],
  done: readonly DoneEffect[],
  counts: Comparison['effects'],
): Problem[] {
  const problems: Problem[] = [];
  const labelOf = ({ name, of }: { name: string; of: string | null }) =>
    of === null ? name : `${name} of ${of}`;
  const times = new Map<string, number>();
  for (const effect of done) times.set(labelOf(effect), (times.get(labelOf(effect)) ?? 0) + 1);
  for (const effect of expected) {
    const label = labelOf(effect);
    const count = times.get(label) ?? 0;
    times.delete(label);
    if (effect.required) counts.expected++;
    if (effect.required && count > 0) counts.done++;
    if (effect.required && count === 0) {
      counts.missing++;
      problems.push({ kind: 'missing', text: `${label} was not done` });
    }
    if (count > 1) {
      counts.repeated += count - 1;
      problems.push({ kind: 'repeated', text: `${label} was done ${count} times` });
    }
  }
  for (const [label, count] of times) {
    counts.unexpected += count;
    problems.push({ kind: 'unexpected', text: `${label} was done and has no reason` });
  }
  return problems;
}

export function groupByOrder(done: readonly DoneEffect[]): Map<string, DoneEffect[]> {
  const groups = new Map<string, DoneEffect[]>();
  for (const effect of done) {
    const group = groups.get(effect.order);
    if (group) group.push(effect);
    else groups.set(effect.order, [effect]);
  }
  return groups;
}
