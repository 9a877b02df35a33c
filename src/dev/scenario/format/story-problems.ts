/** What zod finds wrong with a story, in words: each problem at its place, with what it must be and what it is. */
import type { z } from 'zod';
import { didYouMean } from '../../../ordering/did-you-mean.ts';
import { STEP_KEYS } from './scenario.ts';

export interface FieldProblem {
  path: (string | number)[];
  message: string;
}

type Issue = z.core.$ZodIssue;

export function fieldProblems(issues: readonly Issue[], story: unknown): FieldProblem[] {
  return issues.flatMap((issue) => problemsOf(issue, [], story));
}

function problemsOf(issue: Issue, above: (string | number)[], story: unknown): FieldProblem[] {
  const path = [...above, ...issue.path.map((part) => (typeof part === 'number' ? part : String(part)))];
  const value = valueAt(story, path);
  switch (issue.code) {
    case 'unrecognized_keys': {
      // One line per key, written by the fields that know their names.
      const messages = issue.message.split('\n');
      return issue.keys.map((key, index) => ({
        path: [...path, key],
        message: messages[index] ?? 'is not known here.',
      }));
    }
    case 'invalid_union':
      return unionProblems(issue, path, value, story);
    case 'invalid_type':
      // A field that says itself what it must be.
      if (issue.message.startsWith('must be '))
        return [{ path, message: `${issue.message}; it is ${shown(value)}.` }];
      return [{ path, message: mustBe(TYPES[issue.expected] ?? `a ${issue.expected}`, value) }];
    case 'invalid_value': {
      const known = issue.values.map(String);
      const hint = typeof value === 'string' ? didYouMean(value, known) : '';
      return [{ path, message: `${mustBe(known.map((one) => `'${one}'`).join(' or '), value)}${hint}` }];
    }
    case 'too_small':
      return [
        {
          path,
          message: mustBe(
            issue.origin === 'string' ? 'a text with something in it' : `at least ${issue.minimum}`,
            value,
          ),
        },
      ];
    case 'too_big':
      // Told by its digits, which are read as others.
      return [];
    case 'custom':
      return [{ path, message: `${issue.message}; it is ${shown(value)}.` }];
    default:
      return [{ path, message: issue.message }];
  }
}

/** Of what may be one or another, the one that is meant: a step by its own key, the others by their kind. */
function unionProblems(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  path: (string | number)[],
  value: unknown,
  story: unknown,
): FieldProblem[] {
  const branches: readonly Issue[][] = issue.errors;
  if (branches.length === STEP_KEYS.length) {
    const keys = isFields(value) ? Object.keys(value) : [];
    const kind = STEP_KEYS.findIndex((key) => keys.includes(key));
    const step = branches[kind];
    if (step !== undefined) return step.flatMap((one) => problemsOf(one, path, story));
    const hint = keys.map((key) => didYouMean(key, STEP_KEYS)).find((text) => text !== '') ?? '';
    return [{ path, message: `is no step: it has none of ${STEP_KEYS.join(', ')}.${hint}` }];
  }
  const meant = branches.find((branch) => branch.every((one) => !isOfAnotherKind(one)));
  if (meant !== undefined) return meant.flatMap((one) => problemsOf(one, path, story));
  const all = branches.flatMap((branch) =>
    branch.flatMap((one) => (one.path.length === 0 ? [kindText(one)] : [])),
  );
  const hint =
    typeof value === 'string'
      ? didYouMean(
          value,
          all.map((text) => text.replaceAll("'", '')),
        )
      : '';
  return [{ path, message: `${mustBe([...new Set(all)].join(' or '), value)}${hint}` }];
}

const isOfAnotherKind = ({ path, code }: Issue): boolean =>
  path.length === 0 && (code === 'invalid_type' || code === 'invalid_value');

const TYPES: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'fields',
  record: 'names with their values',
  array: 'a list',
  null: 'null',
};

function kindText(issue: Issue): string {
  if (issue.code === 'invalid_type') return TYPES[issue.expected] ?? issue.expected;
  return issue.code === 'invalid_value'
    ? issue.values.map((one) => `'${String(one)}'`).join(' or ')
    : issue.message;
}

const mustBe = (what: string, value: unknown): string =>
  value === undefined ? `is missing; it must be ${what}.` : `must be ${what}; it is ${shown(value)}.`;

function shown(value: unknown): string {
  if (typeof value === 'string') return value.length > 40 ? 'a long text' : `'${value}'`;
  if (Array.isArray(value)) return 'a list';
  if (value === undefined) return 'missing';
  return isFields(value) ? 'fields' : JSON.stringify(value);
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function valueAt(story: unknown, path: readonly (string | number)[]): unknown {
  let value = story;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string | number, unknown>)[part];
  }
  return value;
}
