/** Tells a counterexample so that whoever wrote the table sees what to change. */
import { cellOf } from '../table.ts';
import type { ResolvedCell } from '../table.ts';
import { act, newWorld } from './model.ts';
import type { Action, Copy, Happening, Model, World } from './model.ts';
import { endOf } from './ending.ts';
import { START } from './explore.ts';
import type { Counterexample } from './explore.ts';
import type { Truth } from './verdict.ts';

export interface CounterexampleStory {
  /** One sentence: what arrives how, where the order ends, what the truth is. */
  summary: string;
  /** The types in the order in which they are true, each with its stream where there are several. */
  truth: string[];
  /** What arrives, answers and times out, in that order, with what it does to the order. */
  arrival: { what: string; from: string; to: string; why: string }[];
  /** Where the order ends while nobody is asked, and where it should. */
  ending: string;
  should: string[] | null;
  problems: string[];
  /** What to change, and where. */
  change: string;
  /** For whoever plays it again: what happens, what of it arrives under which ids, in which way, by which promises. */
  story: Happening[];
  /** What is delivered: `copies` of a delivery are places in what is left of these. */
  copies: Copy[];
  way: Action[];
  /** What they promise. */
  sources: Model['sources'];
}

/** The story in lines, the sentence first. */
export function linesOf(story: CounterexampleStory): string[] {
  const width = Math.max(...story.arrival.map(({ what }) => what.length), 0);
  const arrives = story.arrival.map(
    ({ what, from, to, why }) => `${what.padEnd(width)}  ${from === to ? from : `${from} → ${to}`}  (${why})`,
  );
  return [
    story.summary,
    `  in truth  ${story.truth.join(', ')}`,
    ...arrives.map((line, at) => `  ${at === 0 ? 'arrives ' : '        '}  ${line}`),
    `  ends      ${story.ending}: ${story.problems.join('; ')}`,
    `  change    ${story.change}`,
  ];
}

export function storyOfEnding(
  model: Model,
  copies: Copy[],
  truth: Truth,
  { problems, way, delivered }: Counterexample,
): CounterexampleStory {
  const { story } = model;
  const name = nameIn(story);
  const { steps, end } = replay(model, copies, way, name);
  const arrived = copies.filter(({ happening }) => delivered.includes(happening));
  const ending = endOf(model, end, arrived).state.status;
  return {
    summary: `${howItArrives(story, arrived, steps, name)}: ${whatIsWrong(ending, truth, problems)}`,
    truth: story.map(name),
    arrival: steps.map(({ what, from, to, why }) => ({ what, from, to, why })),
    ending,
    should: truth.endings,
    problems,
    change: whatToChange(model, steps, truth),
    story,
    copies,
    way,
    sources: model.sources,
  };
}

type Naming = (happening: Happening) => string;

/** A type by itself, unless several streams tell the story. */
function nameIn(story: Happening[]): Naming {
  const isSeveral = new Set(story.map(({ stream }) => stream)).size > 1;
  return ({ type, stream }) =>
    isSeveral ? `${type} of ${stream.slice(stream.indexOf('/') + 1)}` : String(type);
}

interface Step {
  what: string;
  from: string;
  to: string;
  why: string;
  /** The event that was delivered, and its cell; null for an answer or a timer. */
  event: { happening: number; type: string; own: boolean; isAgain: boolean } | null;
}

const DEADLINE = 'its type steps';

function replay(model: Model, copies: Copy[], way: Action[], name: Naming): { steps: Step[]; end: World } {
  let world = newWorld(model, copies, START);
  if (!way.some(({ do: what }) => what === 'happen'))
    world = { ...world, happenedAt: model.story.map(() => START) };
  const steps: Step[] = [];
  for (const action of way) {
    const before = world;
    world = act(model, world, action);
    const step = stepOf(model, before, world, action, name);
    if (step !== null) steps.push(step);
  }
  return { steps, end: world };
}

function stepOf(model: Model, before: World, after: World, action: Action, name: Naming): Step | null {
  const moved = { from: before.state.status, to: after.state.status };
  if (after.expiredAfter !== before.expiredAfter)
    return { what: 'the deadline passes', ...moved, why: DEADLINE, event: null };
  switch (action.do) {
    case 'deliver': {
      const copy = before.left[action.copies[0] as number] as Copy;
      const happening = model.story[copy.happening] as Happening;
      const isAgain = copy.id.includes('.');
      const { bearer } = before.state;
      const own = happening.payment === null || bearer === null || bearer === happening.payment;
      return {
        what: isAgain ? `${name(happening)}, once more` : name(happening),
        ...moved,
        why: after.outcomes[copy.id] ?? 'left in the store',
        event: { happening: copy.happening, type: happening.type as string, own, isAgain },
      };
    }
    case 'answer':
      return {
        what: `the provider answers${action.behind > 0 ? ', not yet up to date' : ''}`,
        ...moved,
        why: action.stream,
        event: null,
      };
    case 'unavailable':
      return { what: 'the provider does not answer', ...moved, why: action.stream, event: null };
    case 'wake':
      return { what: 'time passes', ...moved, why: 'a timer ends', event: null };
    default:
      return null;
  }
}

function howItArrives(story: Happening[], copies: Copy[], steps: Step[], name: Naming): string {
  const acted = steps.findIndex(({ why }) => why === DEADLINE);
  const tooLate = acted < 0 ? undefined : steps.slice(acted).find(({ event }) => event !== null);
  if (tooLate !== undefined) return `${tooLate.what} arrives after the deadline of ${steps[acted]?.from}`;
  const heard = steps.flatMap(({ event }) => (event === null || event.isAgain ? [] : [event.happening]));
  for (const [at, early] of heard.entries()) {
    const late = heard.slice(at + 1).find((other) => other < early);
    if (late !== undefined)
      return `${name(story[early] as Happening)} arrives before ${name(story[late] as Happening)}`;
  }
  const lost = story.find((_, happening) => copies.every((copy) => copy.happening !== happening));
  if (lost !== undefined) return `${name(lost)} never arrives`;
  const again = steps.find(({ event }) => event?.isAgain === true);
  if (again !== undefined) return `${again.what.replace(', once more', '')} arrives twice`;
  return `${story.map(name).join(', ')} arrive in this order`;
}

function whatIsWrong(ending: string, { endings }: Truth, problems: string[]): string {
  if (endings === null || endings.includes(ending)) return problems.join('; ');
  if (endings.length === 0)
    return `the order ends ${ending} unseen, though a person is asked when it arrives as it is true`;
  return `the order ends ${ending}, the truth is ${endings.join(' or ')}`;
}

/** The cells on the way: one of them leads where another order of arrival does not. */
function whatToChange({ machine, sources }: Model, steps: Step[], { endings }: Truth): string {
  const cells = steps.flatMap(({ event, from, why }) =>
    event === null || why === 'stale'
      ? []
      : [`on['${event.type}'].${from} ${meaningOf(cellOf(machine, from, event.type, event.own))}`],
  );
  const expired = steps.find(({ why }) => why === DEADLINE);
  if (expired !== undefined)
    return (
      `the deadline of ${expired.from} leads to ${expired.to}` +
      `${cells.length === 0 ? '' : `; ${cells.join(', then ')}`}: let one of these cells be review('…'), ` +
      "or leave unasked: 'act' out, so that a person looks before the deadline acts"
    );
  const wanted = endings?.[0] === undefined ? 'to one status' : `to ${endings[0]}`;
  const isAsked = Object.values(sources).every(({ api }) => api);
  return (
    `${cells.join(', then ')}: change one of these cells so that every order of arrival leads ${wanted}, ` +
    `or write review('…') where it cannot be known${isAsked ? '' : '; or let the provider be asked (an API key)'}`
  );
}

function meaningOf(cell: ResolvedCell): string {
  switch (cell.kind) {
    case 'step':
      return `leads to ${cell.status}`;
    case 'ignore':
      return `ignores it (${cell.reason})`;
    case 'stay':
      return `stays (${cell.reason})`;
    case 'review':
      return `asks a person (${cell.reason})`;
    case 'absent':
      return 'is not written';
  }
}
